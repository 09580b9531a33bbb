//! What scripts are read as, and the faults that are told of them.

use super::*;

fn fault(text: &str) -> Option<(usize, String)> {
    read(text, &mut |_, _| {}).fault.map(|fault| (fault.at, fault.detail))
}

#[test]
fn faults_say_where_and_what() {
    let check = |text: &str, at: usize, detail: &str| {
        let (found_at, found) = fault(text).unwrap_or_else(|| panic!("{text} is read without a fault"));
        assert_eq!((found_at, &*found), (at, detail), "{text}");
    };
    check("", 0, "expected an object, found nothing");
    check("  <!-- -->", 10, "expected an object, found nothing");
    check(r#"{"a":1,}"#, 6, "expected `}` or another property, found a comma with nothing after it");
    check("[1,2,]", 4, "expected `]` or another value, found a comma with nothing after it");
    check(r#"{"a" 1}"#, 5, "expected `:`, found `1`");
    check(r#"{"a":1 "b":2}"#, 7, "expected `,` or `}`, found `\"`");
    check(r#"{"a":}"#, 5, "expected a value, found `}`");
    check(r#"{"a":undefined}"#, 5, "expected a value, found `undefined`");
    check(r#"{"a":'x'}"#, 5, "expected a text between double quotes, found a single quote");
    check("{a:1}", 1, "expected `}` or a property between double quotes, found `a`");
    check(r#"{"a":1,,"b":2}"#, 7, "expected a property between double quotes, found `,`");
    check("{\"a\":\"x\ny\"}", 7, "expected `\\n` or the end of a text, found a line break in it");
    check(r#"{"a":"x"#, 5, "expected `\"` at the end of a text, found the end of the script");
    check(r#"{"a":"\x"}"#, 6, "expected an escape, found `\\x`");
    check(r#"{"a":"\u12g4"}"#, 6, "expected four hexadecimal digits after `\\u`");
    check(r#"{"a":01}"#, 5, "expected a number, found `01`");
    check(r#"{"a":[1"#, 7, "expected `,` or `]`, found the end of the script");
    check(r#"{"a":1}{"b":2}"#, 7, "expected the end, found `{`");
    check(r#"{"a":1};"#, 7, "expected the end, found `;`");
    check(&"[".repeat(500), 128, "nested deeper than 128 levels");
}

#[test]
fn wrappings_and_comments_are_read_past() {
    let check = |text: &str| {
        let script = read(text, &mut |_, _| {});
        assert_eq!(script.fault, None, "{text}");
        assert!(matches!(script.value, Some(Json::Object(ref members, _)) if members.len() == 1), "{text}");
    };
    check(r#"{"a":1}"#);
    check("\u{FEFF} {\"a\":1}\n");
    check("<!--\n{\"a\":1}\n-->");
    check("//<![CDATA[\n{\"a\":1}\n//]]>");
    check("// <![CDATA[\n{\"a\":1}\n// ]]>");
    check("//<![CDATA[{\"a\":1}//]]>");
    check("<!-- made by a plugin -->{\"a\":1}<!-- its end -->");
    check("/*<![CDATA[*/{\"a\":1}/*]]>*/");
    check("<![CDATA[{\"a\":1}]]>");
    check("/* what it is */ {\"a\": // one\n 1}");
}

#[test]
fn what_is_broken_is_read_as_far_as_it_goes() {
    let names = |text: &str| {
        let Some(Json::Object(members, _)) = read(text, &mut |_, _| {}).value else { return Vec::new() };
        members.iter().map(|member| member.name.to_string()).collect::<Vec<_>>()
    };
    assert_eq!(names("{\"a\":\"x\ny\",\"b\":[1,],\"c\":3,}"), ["a", "b", "c"]);
    assert_eq!(names(r#"{"a":1,"b":oops,"c":3}"#), ["a"]);
}

#[test]
fn texts_are_unescaped() {
    let check = |text: &str, expect: &str| {
        let mut met = Vec::new();
        read(text, &mut |property, value| met.push(format!("{property}={value}")));
        assert_eq!(met, [expect], "{text}");
    };
    check(r#"{"a":"\"\\\/\b\f\n\r\t"}"#, "a=\"\\/\u{8}\u{c}\n\r\t");
    check(r#"{"a":["caf\u00e9 \ud83d\ude00"]}"#, "a=café 😀");
    check(r#"{"a":"\ud83d x"}"#, "a=\u{FFFD} x");
}

#[test]
fn a_script_without_end_is_kept_within_bounds() {
    let many = format!("[{}1]", "1,".repeat(100_000));
    let script = read(&many, &mut |_, _| {});
    assert!(script.is_cut && script.fault.is_none());
    assert!(matches!(script.value, Some(Json::Array(items)) if items.len() < 20_000));
}
