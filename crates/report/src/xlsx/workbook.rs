//! The archive around the sheets: its parts, its styles, and what names them.

use super::reference;
use super::text::{cell_text, push_escaped};
use crate::brand::Picture;
use std::io::{self, Write};
use zip::write::{SimpleFileOptions, StreamWriter, ZipWriter};

/// A workbook on its way into `W`. Sheets are written one after another.
pub(crate) struct Workbook<W: Write> {
    zip: ZipWriter<StreamWriter<Latched<W>>>,
    sheets: Vec<Sheet>,
    picture: Option<&'static str>,
    title: String,
    creator: String,
}

/// What the workbook has to know of a sheet that was written.
pub(crate) struct Sheet {
    /// Sheets of one title are numbered: `Rows (1 of 2)`.
    pub(crate) title: String,
    /// Last column and row of a table, counted from 0; it has a filter and a heading that is printed on each page.
    pub(crate) table: Option<(usize, u32)>,
    /// Ranges of cells that are shown as one.
    pub(crate) merged: Vec<String>,
}

/// After its first failure the output takes everything and writes nothing: an archive that is dropped unfinished tries to
/// come to an end, and what fails then has been told already.
pub(crate) struct Latched<W: Write> {
    out: W,
    failed: bool,
}

impl<W: Write> Write for Latched<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.failed {
            return Ok(bytes.len());
        }
        let written = self.out.write(bytes);
        self.failed = written.as_ref().is_err_and(|error| error.kind() != io::ErrorKind::Interrupted);
        written
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.failed { Ok(()) } else { self.out.flush() }
    }
}

const MAIN: &str = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
pub(super) const DOCUMENT_RELATIONS: &str =
    "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const PACKAGE: &str = "http://schemas.openxmlformats.org/package/2006";
const DECLARATION: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n";

/// The rows of an export repeat themselves: a higher level takes twice the time for a tenth of the size.
const COMPRESSION: i64 = 3;

impl<W: Write> Workbook<W> {
    pub(crate) fn new(out: W, title: &str, creator: &str) -> Self {
        let zip = ZipWriter::new_stream(Latched { out, failed: false });
        Self { zip, sheets: Vec::new(), picture: None, title: title.to_owned(), creator: creator.to_owned() }
    }

    /// Begins the part of the next sheet, up to what the caller writes next: views, columns, rows.
    pub(super) fn begin_sheet(&mut self) -> io::Result<()> {
        let part = format!("xl/worksheets/sheet{}.xml", self.sheets.len() + 1);
        self.begin(&part)?;
        self.write(&format!(
            "{DECLARATION}<worksheet xmlns=\"{MAIN}\" xmlns:r=\"{DOCUMENT_RELATIONS}\"><sheetPr><pageSetUpPr fitToPage=\"1\"/></sheetPr>"
        ))
    }

    /// Whether the sheet begun last is the one that is shown when the workbook is opened.
    pub(super) fn is_first(&self) -> bool {
        self.sheets.is_empty()
    }

    pub(super) fn write(&mut self, xml: &str) -> io::Result<()> {
        self.zip.write_all(xml.as_bytes())
    }

    /// Ends the sheet begun last. `links` are cells with a web address and its fragment.
    pub(super) fn end_sheet(
        &mut self,
        sheet: Sheet,
        links: &[(String, String, String)],
        picture: Option<&Picture>,
    ) -> io::Result<()> {
        self.write("</sheetData>")?;
        if let Some((column, row)) = sheet.table {
            self.write(&format!("<autoFilter ref=\"A1:{}\"/>", reference(column, row)))?;
        }
        if !sheet.merged.is_empty() {
            let cells: String =
                sheet.merged.iter().map(|range| format!("<mergeCell ref=\"{range}\"/>")).collect();
            self.write(&format!("<mergeCells count=\"{}\">{cells}</mergeCells>", sheet.merged.len()))?;
        }
        let mut relations = String::new();
        if !links.is_empty() {
            self.write("<hyperlinks>")?;
            let mut xml = String::new();
            for (nth, (cell, _, fragment)) in links.iter().enumerate() {
                xml.clear();
                xml.push_str(&format!("<hyperlink ref=\"{cell}\" r:id=\"rId{}\"", nth + 1));
                if !fragment.is_empty() {
                    xml.push_str(" location=\"");
                    push_escaped(&mut xml, fragment);
                    xml.push('"');
                }
                xml.push_str("/>");
                self.write(&xml)?;
            }
            self.write("</hyperlinks>")?;
        }
        self.write(
            "<pageMargins left=\"0.5\" right=\"0.5\" top=\"0.6\" bottom=\"0.6\" header=\"0.3\" footer=\"0.3\"/>\
             <pageSetup paperSize=\"9\" orientation=\"landscape\" fitToWidth=\"1\" fitToHeight=\"0\"/>",
        )?;
        if picture.is_some() {
            self.write(&format!("<drawing r:id=\"rId{}\"/>", links.len() + 1))?;
        }
        self.write("</worksheet>")?;
        let number = self.sheets.len() + 1;
        if !links.is_empty() || picture.is_some() {
            self.begin(&format!("xl/worksheets/_rels/sheet{number}.xml.rels"))?;
            self.write(&format!("{DECLARATION}<Relationships xmlns=\"{PACKAGE}/relationships\">"))?;
            for (nth, (_, address, _)) in links.iter().enumerate() {
                relations.clear();
                relations.push_str(&format!(
                    "<Relationship Id=\"rId{}\" Type=\"{DOCUMENT_RELATIONS}/hyperlink\" Target=\"",
                    nth + 1
                ));
                push_escaped(&mut relations, address);
                relations.push_str("\" TargetMode=\"External\"/>");
                self.write(&relations)?;
            }
            if picture.is_some() {
                self.write(&relation(links.len() + 1, "drawing", "../drawings/drawing1.xml"))?;
            }
            self.write("</Relationships>")?;
        }
        if let Some(picture) = picture {
            self.drawing(picture)?;
        }
        self.sheets.push(sheet);
        Ok(())
    }

    /// The picture at the head of the sheet being ended.
    fn drawing(&mut self, picture: &Picture) -> io::Result<()> {
        /// English Metric Units of a pixel at 96 dpi.
        const EMU: u64 = 9_525;
        let (width, height) = picture.fitted(super::front::PICTURE_ROOM);
        let extent = format!("cx=\"{}\" cy=\"{}\"", u64::from(width) * EMU, u64::from(height) * EMU);
        let ending = picture.ending();
        self.begin(&format!("xl/media/logo.{ending}"))?;
        self.zip.write_all(picture.bytes())?;
        self.begin("xl/drawings/_rels/drawing1.xml.rels")?;
        let image = relation(1, "image", &format!("../media/logo.{ending}"));
        self.write(&format!(
            "{DECLARATION}<Relationships xmlns=\"{PACKAGE}/relationships\">{image}</Relationships>"
        ))?;
        self.begin("xl/drawings/drawing1.xml")?;
        self.write(&format!(
            "{DECLARATION}<xdr:wsDr xmlns:xdr=\"http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing\" \
             xmlns:a=\"http://schemas.openxmlformats.org/drawingml/2006/main\"><xdr:oneCellAnchor>\
             <xdr:from><xdr:col>0</xdr:col><xdr:colOff>0</xdr:colOff><xdr:row>0</xdr:row><xdr:rowOff>0</xdr:rowOff></xdr:from><xdr:ext {extent}/>\
             <xdr:pic><xdr:nvPicPr><xdr:cNvPr id=\"2\" name=\"Logo\"/><xdr:cNvPicPr><a:picLocks noChangeAspect=\"1\"/></xdr:cNvPicPr></xdr:nvPicPr>\
             <xdr:blipFill><a:blip xmlns:r=\"{DOCUMENT_RELATIONS}\" r:embed=\"rId1\"/><a:stretch><a:fillRect/></a:stretch></xdr:blipFill>\
             <xdr:spPr><a:xfrm><a:off x=\"0\" y=\"0\"/><a:ext {extent}/></a:xfrm><a:prstGeom prst=\"rect\"><a:avLst/></a:prstGeom></xdr:spPr></xdr:pic>\
             <xdr:clientData/></xdr:oneCellAnchor></xdr:wsDr>"
        ))?;
        self.picture = Some(ending);
        Ok(())
    }

    /// Writes what names the sheets, and the archive's end.
    pub(crate) fn finish(mut self) -> io::Result<()> {
        let names = self.names();
        self.begin("xl/workbook.xml")?;
        let workbook = self.workbook_xml(&names);
        self.write(&workbook)?;
        self.begin("xl/_rels/workbook.xml.rels")?;
        let mut relations = format!("{DECLARATION}<Relationships xmlns=\"{PACKAGE}/relationships\">");
        for number in 1..=names.len() {
            relations.push_str(&relation(number, "worksheet", &format!("worksheets/sheet{number}.xml")));
        }
        relations.push_str(&relation(names.len() + 1, "styles", "styles.xml"));
        relations.push_str("</Relationships>");
        self.write(&relations)?;
        self.begin("xl/styles.xml")?;
        self.write(&styles())?;
        self.begin("docProps/core.xml")?;
        let mut core = format!(
            "{DECLARATION}<cp:coreProperties xmlns:cp=\"{PACKAGE}/metadata/core-properties\" xmlns:dc=\"http://purl.org/dc/elements/1.1/\"><dc:title>"
        );
        push_escaped(&mut core, &cell_text(&self.title));
        core.push_str("</dc:title><dc:creator>");
        push_escaped(&mut core, &cell_text(&self.creator));
        core.push_str("</dc:creator></cp:coreProperties>");
        self.write(&core)?;
        self.begin("_rels/.rels")?;
        self.write(&format!(
            "{DECLARATION}<Relationships xmlns=\"{PACKAGE}/relationships\">{}\
             <Relationship Id=\"rId2\" Type=\"{PACKAGE}/relationships/metadata/core-properties\" Target=\"docProps/core.xml\"/></Relationships>",
            relation(1, "officeDocument", "xl/workbook.xml")
        ))?;
        self.begin("[Content_Types].xml")?;
        let types = self.content_types();
        self.write(&types)?;
        self.zip.finish().map_err(plain)?;
        Ok(())
    }

    fn begin(&mut self, part: &str) -> io::Result<()> {
        let options = SimpleFileOptions::default()
            .compression_method(zip::CompressionMethod::Deflated)
            .compression_level(Some(COMPRESSION));
        self.zip.start_file(part, options).map_err(plain)
    }

    /// The names of the sheets. Several of one title say which they are, and so that the rows go on.
    fn names(&self) -> Vec<String> {
        let mut names = Vec::with_capacity(self.sheets.len());
        for (at, sheet) in self.sheets.iter().enumerate() {
            let alike = |sheets: &[Sheet]| sheets.iter().filter(|other| other.title == sheet.title).count();
            let (nth, of) = (alike(&self.sheets[..=at]), alike(&self.sheets));
            names.push(if of == 1 {
                sheet.title.clone()
            } else {
                format!("{} ({nth} of {of})", sheet.title)
            });
        }
        names
    }

    fn workbook_xml(&self, names: &[String]) -> String {
        let mut xml = format!(
            "{DECLARATION}<workbook xmlns=\"{MAIN}\" xmlns:r=\"{DOCUMENT_RELATIONS}\"><workbookPr/><bookViews><workbookView/></bookViews><sheets>"
        );
        for (at, name) in names.iter().enumerate() {
            xml.push_str("<sheet name=\"");
            push_escaped(&mut xml, name);
            xml.push_str(&format!("\" sheetId=\"{0}\" r:id=\"rId{0}\"/>", at + 1));
        }
        xml.push_str("</sheets>");
        let mut defined = String::new();
        for (at, (name, sheet)) in names.iter().zip(&self.sheets).enumerate() {
            let Some((column, row)) = sheet.table else { continue };
            let last = reference(column, row);
            let letters = last.trim_end_matches(|c: char| c.is_ascii_digit());
            defined.push_str(&format!(
                "<definedName name=\"_xlnm._FilterDatabase\" localSheetId=\"{at}\" hidden=\"1\">'{name}'!$A$1:${letters}${}</definedName>",
                row + 1
            ));
            defined.push_str(&format!(
                "<definedName name=\"_xlnm.Print_Titles\" localSheetId=\"{at}\">'{name}'!$1:$1</definedName>"
            ));
        }
        if !defined.is_empty() {
            xml.push_str(&format!("<definedNames>{defined}</definedNames>"));
        }
        xml.push_str("</workbook>");
        xml
    }

    fn content_types(&self) -> String {
        const SHEETS: &str = "application/vnd.openxmlformats-officedocument.spreadsheetml";
        let mut xml = format!(
            "{DECLARATION}<Types xmlns=\"{PACKAGE}/content-types\">\
             <Default Extension=\"rels\" ContentType=\"application/vnd.openxmlformats-package.relationships+xml\"/>\
             <Default Extension=\"xml\" ContentType=\"application/xml\"/>"
        );
        if let Some(ending) = self.picture {
            xml.push_str(&format!("<Default Extension=\"{ending}\" ContentType=\"image/{ending}\"/>"));
        }
        let mut part = |name: &str, kind: &str| {
            xml.push_str(&format!("<Override PartName=\"/{name}\" ContentType=\"{kind}\"/>"));
        };
        part("xl/workbook.xml", &format!("{SHEETS}.sheet.main+xml"));
        for number in 1..=self.sheets.len() {
            part(&format!("xl/worksheets/sheet{number}.xml"), &format!("{SHEETS}.worksheet+xml"));
        }
        part("xl/styles.xml", &format!("{SHEETS}.styles+xml"));
        part("docProps/core.xml", "application/vnd.openxmlformats-package.core-properties+xml");
        if self.picture.is_some() {
            part("xl/drawings/drawing1.xml", "application/vnd.openxmlformats-officedocument.drawing+xml");
        }
        xml.push_str("</Types>");
        xml
    }
}

fn relation(number: usize, kind: &str, target: &str) -> String {
    format!("<Relationship Id=\"rId{number}\" Type=\"{DOCUMENT_RELATIONS}/{kind}\" Target=\"{target}\"/>")
}

/// The I/O error itself, with its kind: the caller tells a closed pipe from a full disk by it.
fn plain(error: zip::result::ZipError) -> io::Error {
    match error {
        zip::result::ZipError::Io(error) => error,
        other => io::Error::other(format!("XLSX: {other}")),
    }
}

/// The styles, in the order of [`super::Style`].
fn styles() -> String {
    let font = |size: u8, more: &str| {
        format!("<font>{more}<sz val=\"{size}\"/>{{}}<name val=\"Calibri\"/><family val=\"2\"/></font>")
    };
    let fonts = [
        font(11, "").replace("{}", "<color rgb=\"FF1B2430\"/>"),
        font(11, "<b/>").replace("{}", "<color rgb=\"FF1B2430\"/>"),
        font(11, "<u/>").replace("{}", "<color rgb=\"FF0B57B0\"/>"),
        font(20, "<b/>").replace("{}", "<color rgb=\"FF1B2430\"/>"),
        font(10, "").replace("{}", "<color rgb=\"FF5B6675\"/>"),
    ];
    // Font, number format, fill, border, alignment of each style.
    let top = "<alignment vertical=\"top\"/>";
    let formats = [
        (0, 0, 0, 0, top),
        (1, 0, 2, 1, "<alignment vertical=\"center\"/>"),
        (2, 0, 0, 0, top),
        (0, 164, 0, 0, "<alignment horizontal=\"left\" vertical=\"top\"/>"),
        (3, 0, 0, 0, "<alignment vertical=\"center\"/>"),
        (4, 0, 0, 0, top),
        (1, 0, 0, 0, top),
        (0, 3, 0, 0, "<alignment horizontal=\"right\" vertical=\"top\" indent=\"1\"/>"),
        (0, 0, 0, 0, "<alignment vertical=\"top\" wrapText=\"1\"/>"),
        (0, 165, 0, 0, "<alignment horizontal=\"left\" vertical=\"top\"/>"),
        (1, 0, 2, 1, "<alignment horizontal=\"right\" vertical=\"center\" indent=\"1\"/>"),
    ];
    let cells: String = formats
        .iter()
        .map(|(font, number, fill, border, alignment)| {
            format!(
                "<xf numFmtId=\"{number}\" fontId=\"{font}\" fillId=\"{fill}\" borderId=\"{border}\" xfId=\"0\" applyNumberFormat=\"1\" applyFont=\"1\" applyFill=\"1\" applyBorder=\"1\" applyAlignment=\"1\">{alignment}</xf>"
            )
        })
        .collect();
    format!(
        "{DECLARATION}<styleSheet xmlns=\"{MAIN}\"><numFmts count=\"2\"><numFmt numFmtId=\"164\" formatCode=\"yyyy\\-mm\\-dd\\ hh:mm\"/>\
         <numFmt numFmtId=\"165\" formatCode=\"d\\ mmmm\\ yyyy\"/></numFmts><fonts count=\"{}\">{}</fonts>\
         <fills count=\"3\"><fill><patternFill patternType=\"none\"/></fill><fill><patternFill patternType=\"gray125\"/></fill>\
         <fill><patternFill patternType=\"solid\"><fgColor rgb=\"FFE9EDF2\"/><bgColor indexed=\"64\"/></patternFill></fill></fills>\
         <borders count=\"2\"><border><left/><right/><top/><bottom/><diagonal/></border>\
         <border><left/><right/><top/><bottom style=\"thin\"><color rgb=\"FFAAB4C0\"/></bottom><diagonal/></border></borders>\
         <cellStyleXfs count=\"1\"><xf numFmtId=\"0\" fontId=\"0\" fillId=\"0\" borderId=\"0\"/></cellStyleXfs>\
         <cellXfs count=\"{}\">{cells}</cellXfs><cellStyles count=\"1\"><cellStyle name=\"Normal\" xfId=\"0\" builtinId=\"0\"/></cellStyles></styleSheet>",
        fonts.len(),
        fonts.concat(),
        formats.len()
    )
}
