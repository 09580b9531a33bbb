//! Flaws of a document's markup: what is wrong at an element, whatever may be made of it.

use crate::coded;

coded! {
    /// What is wrong at an element. The audit of the same name judges it.
    pub enum FlawKind {
        /// The id is another element's, too. Detail: the id.
        DuplicateId = 1 => "duplicate-id",
        /// A script of another site without `integrity`. Detail: its address as written.
        SriMissing = 40 => "sri-missing",
        /// A form on a page that came over http. Detail: its action as written.
        FormOnHttp = 41 => "form-on-http",
        /// A form of a page that came over https is sent over http. Detail: its action as written.
        FormToHttp = 43 => "form-to-http",
        /// A robots directive that no search engine knows. Detail: the bot where one is named, and the directive.
        DirectiveInvalid = 42 => "directive-invalid",
        /// JSON-LD that is no JSON. Detail: the column, what was expected, what stands there.
        JsonldParseError = 44 => "jsonld-parse-error",
        /// A property that Google requires of the entity. Detail: its type and the property, or the properties of which one is needed.
        StructuredRequiredMissing = 45 => "structured-required-missing",
        /// Properties that Google recommends for the entity. Detail: its type and the properties.
        StructuredRecommendedMissing = 46 => "structured-recommended-missing",
        /// A type or property that schema.org does not know, or not on this type. Detail: the entity's type and the name.
        StructuredUnknownTerm = 47 => "structured-unknown-term",
        /// A type or property that gave way to another, or a rich result that Google shows no more. Detail: the entity's type and which.
        StructuredDeprecated = 48 => "structured-deprecated",
        /// The page's `og:url` names another page than its canonical does. Detail: the address as written.
        OgUrlNotCanonical = 49 => "og-url-not-canonical",
        /// A link without an accessible name. Detail: its href.
        LinkNameMissing = 100 => "link-name-missing",
        /// A button without an accessible name.
        ButtonNameMissing = 101 => "button-name-missing",
        /// A form field without an accessible name. Detail: its name or id.
        FieldLabelMissing = 102 => "field-label-missing",
        /// A frame without an accessible name. Detail: its address as written.
        FrameTitleMissing = 103 => "frame-title-missing",
        /// Detail: the tabindex.
        TabindexPositive = 104 => "tabindex-positive",
        /// An ARIA attribute or role that does not exist, or a value that it cannot have. Detail: name and value.
        AriaInvalid = 105 => "aria-invalid",
        /// An ARIA attribute names an id that no element has. Detail: attribute and ids.
        AriaReferenceBroken = 106 => "aria-reference-broken",
        /// The body is hidden from assistive technologies.
        AriaHiddenBody = 107 => "aria-hidden-body",
        /// A table of data without a header cell. Detail: its rows and columns.
        TableHeadersMissing = 108 => "table-headers-missing",
        /// A list item outside a list, or something else directly in a list. Detail: which.
        ListStructure = 109 => "list-structure",
        /// An element before has this access key. Detail: the key.
        AccesskeyDuplicate = 110 => "accesskey-duplicate",
        /// A video with sound and without captions. Detail: its address as written.
        VideoCaptionsMissing = 111 => "video-captions-missing",
        /// A video or audio that plays by itself, with sound and without controls. Detail: its address as written.
        AutoplaySound = 112 => "autoplay-sound",
        /// An area of an image map without an accessible name. Detail: its href.
        AreaAltMissing = 113 => "area-alt-missing",
        /// A further viewport. Detail: its content.
        ViewportMultiple = 114 => "viewport-multiple",
        /// The viewport has a width in pixels. Detail: its content.
        ViewportFixed = 115 => "viewport-fixed",
        /// The viewport keeps people from enlarging the page. Detail: its content.
        ZoomBlocked = 116 => "zoom-blocked",
        /// Content for a plugin that no browser runs any more. Detail: its type or address.
        PluginContent = 117 => "plugin-content",
        /// Neither header nor byte order mark nor the first 1,024 bytes name the encoding. Detail: how it was found.
        CharsetMissing = 118 => "charset-missing",
        /// Header, byte order mark and meta element differ. Detail: what each says.
        CharsetConflict = 119 => "charset-conflict",
        /// No language tag (BCP 47). Detail: the value.
        LangInvalid = 120 => "lang-invalid",
        /// A further base element, or one whose href is of no use. Detail: which.
        BaseBad = 121 => "base-bad",
        /// A meta element of the document outside head. Detail: its name.
        MetaInBody = 122 => "meta-in-body",
        /// The source has no head tag, and its head is not complete without.
        HeadMissing = 123 => "head-missing",
        /// The source has no body tag, and its head is not complete without.
        BodyMissing = 124 => "body-missing",
        /// The source has more than one head tag. Detail: their number. Line: of the second.
        HeadMultiple = 125 => "head-multiple",
        /// The source has more than one body tag. Detail: their number. Line: of the second.
        BodyMultiple = 126 => "body-multiple",
        /// A further meta keywords. Detail: its content.
        KeywordsMultiple = 127 => "keywords-multiple",
        /// A link whose only content are images with an empty alternative text. Detail: its href.
        ImageAltEmptyInLink = 128 => "image-alt-empty-in-link",
        /// A srcset with a candidate that browsers leave out. Detail: the attribute.
        SrcsetInvalid = 129 => "srcset-invalid",
        /// A picture element without img.
        PictureWithoutImg = 130 => "picture-without-img",
        /// The first image of the page is loaded late. Detail: its address as written.
        FirstImageLazy = 131 => "first-image-lazy",
        /// Filler text. Detail: the text around it.
        LoremIpsum = 132 => "lorem-ipsum",
        /// Text that was read in the wrong encoding or escaped twice. Detail: the text around it.
        Mojibake = 133 => "mojibake",
        /// U+FFFD in the text. Detail: the text around it.
        ReplacementCharacters = 134 => "replacement-characters",
        /// A placeholder that was not filled in. Detail: the text around it.
        TemplatePlaceholder = 135 => "template-placeholder",
        /// An element or a text that may not stand in head, and closed it. Detail: its name.
        InvalidElementInHead = 190 => "invalid-element-in-head",
    }
}

/// One element of a document at which something is wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Flaw {
    pub kind: FlawKind,
    /// One-based; 0 where the flaw is the whole document's.
    pub line: u32,
    /// Index into [`PageFacts::element_paths`](crate::PageFacts::element_paths); `None` where there is no element.
    pub path: Option<u32>,
    /// What is wrong, as it stands in the document: a value, a name, a piece of text; at most 300 bytes. May be empty.
    pub detail: Box<str>,
}
