//! Files and what is read from them.
//!
//! | what a server may serve | test |
//! |-|-|
//! | over 500 KiB | `half_a_megabyte_is_read` |
//! | BOM, CR, LF, CRLF, NUL, UTF-16, HTML | `odd_bytes_are_read_as_google_reads_them`, `problems_name_their_line`, `hostile_lines_harm_neither_themselves_nor_the_next` |
//! | groups in several places, tokens in any case | `one_group_is_followed` |
//! | hundreds of `*` | `hundreds_of_stars_take_one_pass` in `pattern` |
//! | longest pattern, ties, `*`, `$`, empty Disallow, `/robots.txt` | `the_line_that_decides`, `wildcards_and_anchors` in `pattern` |
//! | percent-encoding | `escapes_compare_as_specified` in `pattern` |
//! | Crawl-delay | `crawl_delays_of_the_followed_group` |
//! | Sitemap lines | `sitemaps_belong_to_no_group` |
//!
//! Redirects are the fetcher's; a crawl by all of these rules has its tests beside the other tests of whole crawls.

use super::*;
use crate::pattern::{Pattern, head_of};

fn file(text: &str) -> RobotsTxt {
    RobotsTxt::parse(text.as_bytes())
}

#[test]
fn one_group_is_followed() {
    let check = |text: &str, token: &str, followed: Followed, numbers: &[u32]| {
        let group = file(text).group(token);
        let found: Vec<u32> = group.rules().iter().map(|rule| rule.number).collect();
        assert_eq!((group.followed(), found.as_slice()), (followed, numbers), "{token} in {text:?}");
    };
    let merged = "User-agent: *\nDisallow: /a\n\nUser-agent: B\nUser-agent: C\n\nDisallow: /b\n\nDisallow: /c\n\
                  User-agent: *\nDISALLOW: /d\nuser-agent: b/2.0\nAllow: /e";
    check(merged, "b", Followed::Own, &[7, 9, 13]);
    check(merged, "C", Followed::Own, &[7, 9]);
    check(merged, "other", Followed::Star, &[2, 11]);
    check(merged, "*", Followed::Star, &[2, 11]);
    check(merged, "", Followed::Star, &[2, 11]);
    check("User-agent: a-images\nDisallow: /x\nUser-agent: *\nDisallow: /y", "a", Followed::Star, &[4]);
    check("User-agent: a\nDisallow: /x", "a-images", Followed::Nothing, &[]);
    check("User-agent: a\nUser-agent: *\nDisallow: /x", "a", Followed::Own, &[3]);
    check("User-agent: a\n\nUser-agent: *\nDisallow: /x", "a", Followed::Own, &[4]);
    check("User-agent: *\nDisallow: /x\nUser-agent: a", "a", Followed::Own, &[]);
    check(
        "User-agent: a\nSitemap: /s\nHost: h\nfoo: bar\nUser-agent: b\nDisallow: /x",
        "a",
        Followed::Own,
        &[6],
    );
    check("User-agent: a\nCrawl-delay: 1\nUser-agent: b\nDisallow: /x", "a", Followed::Own, &[4]);
    check("Disallow: /x\nUser-agent: a\nDisallow:\nAllow: /y", "a", Followed::Own, &[4]);
    check("User-agent: * for all\nDisallow: /x", "a", Followed::Star, &[2]);
    check("User-agent:\nDisallow: /x", "", Followed::Nothing, &[]);
    check("", "a", Followed::Nothing, &[]);
}

#[test]
fn the_line_that_decides() {
    let check = |rules: &str, url: &str, allowed: bool, line: Option<u32>| {
        let decision = file(&format!("User-agent: *\n{rules}")).group("a").decide(url);
        assert_eq!(
            (decision.allowed, decision.line.map(|l| l.number)),
            (allowed, line),
            "{rules:?} on {url}"
        );
    };
    check("Disallow: /a\nAllow: /a/b", "https://x.y/a/b/c", true, Some(3));
    check("Allow: /a/b\nDisallow: /a", "https://x.y/a/c", false, Some(3));
    check("Disallow: /a\nAllow: /a", "/a", true, Some(3));
    check("Disallow: /a\nDisallow: /a", "/a", false, Some(2));
    check("Disallow: /*.php\nAllow: /a", "/a.php", false, Some(2));
    check("Allow: /a*\nDisallow: /ab", "/ab", true, Some(2));
    check("Disallow:", "/a", true, None);
    check("Disallow: /", "https://x.y", false, Some(2));
    check("Disallow: /", "https://x.y/robots.txt", true, None);
    check("Disallow: /", "https://x.y/%72obots.txt#a", true, None);
    check("Disallow: /", "https://x.y/robots.txt/a", false, Some(2));
    check("Disallow: /\nAllow: /a/index.html", "/a/", true, Some(3));
    check("Disallow: /\nAllow: /a/index.html", "/a/b", false, Some(2));
    check("Disallow: /a?b", "https://x.y/a?b=c", false, Some(2));
    check("Disallow: a", "/a", true, None);
    check("Disallow: /a # /b", "/a", false, Some(2));
    check("Disallow: /a b", "/a%20b", false, Some(2));
    let shown =
        file("User-agent: *\nDisallow:  /Ü*$ # x").group("a").decide("/%C3%9C").line.map(|l| l.to_string());
    assert_eq!(shown.as_deref(), Some("Disallow: /Ü*$"));
}

#[test]
fn a_group_outlives_its_file_and_is_shared_between_threads() {
    let group = file("User-agent: Foo\nUser-agent: Bar\nDisallow: /a").group("FOO");
    assert_eq!((group.name(), group.agents()[0].number), ("Foo", 1));
    let shared = group.clone();
    let elsewhere = std::thread::spawn(move || shared.allows("https://x.y/a"));
    assert!(!elsewhere.join().expect("no panic"));
    assert!(group.allows("/b"));
}

#[test]
fn crawl_delays_of_the_followed_group() {
    let check = |text: &str, expect: Option<f64>, bad: usize| {
        let file = file(text);
        let found = file.group("a").crawl_delay().map(|d| d.as_secs_f64());
        let flagged = file.problems().iter().filter(|p| p.code == ProblemCode::BadCrawlDelay).count();
        assert_eq!((found, flagged), (expect, bad), "{text:?}");
    };
    check("User-agent: *\nCrawl-delay: 10", Some(10.0), 0);
    check("User-agent: *\ncrawl-DELAY : 0.5 # s", Some(0.5), 0);
    check("User-agent: *\nCrawl-delay: .25\nDisallow: /", Some(0.25), 0);
    check("User-agent: *\nCrawl-delay: soon\nCrawl-delay: 2", Some(2.0), 1);
    check("User-agent: *\nCrawl-delay: 3\nCrawl-delay: 2", Some(3.0), 0);
    for garbage in ["", "-1", "1e3", "inf", "NaN", "10s", "1,5", "1.2.3", ".", "9".repeat(400).as_str()] {
        check(&format!("User-agent: *\nCrawl-delay: {garbage}"), None, 1);
    }
    check("User-agent: *\nCrawl-delay: 10\nUser-agent: a\nDisallow: /", None, 0);
    check("User-agent: a\nCrawl-delay: 1\nUser-agent: b\nCrawl-delay: 9", Some(1.0), 0);
    check(
        "User-agent: b\nUser-agent: a\nCrawl-delay: 4\nDisallow: /\nUser-agent: a\nCrawl-delay: 5",
        Some(5.0),
        0,
    );
    check("User-agent: a\nDisallow: /\nCrawl-delay: 4", Some(4.0), 0);
    check("Crawl-delay: 4\nUser-agent: a", None, 0);
}

#[test]
fn sitemaps_belong_to_no_group() {
    let file =
        file("SITEMAP: https://a.b/1.xml\nUser-agent: x\nsitemap: /2.xml\nSite-map: http:/3.xml\nSitemap:");
    let found: Vec<_> = file.sitemaps().map(|s| (s.number, s.value.as_str(), s.absolute)).collect();
    assert_eq!(
        found,
        [(1, "https://a.b/1.xml", true), (3, "/2.xml", false), (4, "http:/3.xml", false), (5, "", false)]
    );
}

#[test]
fn problems_name_their_line() {
    let check = |bytes: &[u8], expect: &[(&str, u32)]| {
        let file = RobotsTxt::parse(bytes);
        let found: Vec<_> = file.problems().iter().map(|p| (p.code.word(), p.line)).collect();
        assert_eq!(found, expect, "{}", String::from_utf8_lossy(&bytes[..bytes.len().min(200)]));
    };
    check(b"# fine\n\nUser-agent: *\nDisallow: /a\nHost: x\nContent-Signal: ai-train=no\n", &[]);
    check(b"hello\nUser-agent: *", &[("no-colon", 1)]);
    check(b"Foo: bar\nDisallow: /", &[("unknown-key", 1), ("rule-before-group", 2)]);
    check(b"User-agent: *\r\nDisallow: /caf\xe9", &[("bad-utf8", 2)]);
    check(
        b"Useragent: *\nDisalow: /\nAllow /a",
        &[("tolerated-typo", 1), ("tolerated-typo", 2), ("tolerated-typo", 3)],
    );
    check(
        b"Sitemap: /a\nUser-agent: *\nCrawl-delay: x\nNoindex: /a",
        &[("relative-sitemap", 1), ("bad-crawl-delay", 3), ("noindex-line", 4)],
    );
    check(
        b"User-agent:\nUser-agent: 1\nDisallow: a\nDisallow: /b\0c",
        &[("empty-user-agent", 1), ("empty-user-agent", 2), ("pattern-without-slash", 3), ("nul-byte", 4)],
    );
    check(b"\n \n<!doctype html>\n<p>a: b</p>\n", &[("is-html", 3)]);
    check(b"\xFF\xFEU\0s\0e\0r\0-\0a\0g\0e\0n\0t\0:\0*\0\n\0D\0:\0/\0", &[("utf-16", 1)]);
    check(format!("User-agent: *\nDisallow: /{}", "é".repeat(20_000)).as_bytes(), &[("line-too-long", 2)]);
    let evidence = RobotsTxt::parse("é".repeat(2_000).as_bytes()).problems()[0].text.chars().count();
    assert_eq!(evidence, RobotsProblem::MAX_CHARS);
}

#[test]
fn odd_bytes_are_read_as_google_reads_them() {
    let check = |bytes: &[u8], blocked: &str| {
        let group = RobotsTxt::parse(bytes).group("a");
        assert!(!group.allows(blocked), "{}", String::from_utf8_lossy(bytes));
        assert!(group.allows("/other"));
    };
    check(b"\xEF\xBB\xBFUser-agent: *\nDisallow: /a", "/a");
    check(b"User-agent: *\rDisallow: /a\r", "/a");
    check(b"User-agent: *\r\n\r\nDisallow: /a\r\n", "/a");
    check(b"User-agent: *\nDisallow: /caf\xe9", "/caf%E9");
    check(b"User-agent: *\nDisallow: /a\0/b", "/a");
    check(b"<br />\nUser-agent: *\n<br />\nDisallow: /a\n", "/a");
    let page = RobotsTxt::parse(b"<html>\n<script>\nallow: 1,\n</script><a href='https://x.y/'>x</a>\n");
    assert!(page.is_html() && page.group("a").followed() == Followed::Nothing);
}

#[test]
fn half_a_megabyte_is_read() {
    let start = "User-agent: *\nDisallow: /a\n";
    let padded =
        |after: &str| format!("{start}{}\n{after}", "#".repeat(MAX_BYTES - start.len() - after.len() - 1));
    let exact = padded("Disallow: /b");
    assert_eq!(exact.len(), MAX_BYTES);
    let check = |text: &str, truncated: bool, blocks_b: bool| {
        let file = file(text);
        let flagged = file.problems().iter().any(|p| p.code == ProblemCode::TooLarge);
        let group = file.group("x");
        assert_eq!((file.is_truncated(), flagged, !group.allows("/b")), (truncated, truncated, blocks_b));
        assert!(!group.allows("/a"));
    };
    check(&exact, false, true);
    check(&format!("{exact}\nAllow: /b"), true, true);
    // A pattern cut by the limit would forbid more than was written.
    check(&format!("{exact}/c"), true, false);
    assert!(file(&"a".repeat(MAX_BYTES + 1)).is_truncated());
}

#[test]
fn lines_show_how_they_were_read() {
    let bytes = b"# x\nUser-agent: \xe9 # y\r\n\nDisallow:/a\nwhat\n";
    let file = RobotsTxt::parse(bytes);
    let found: Vec<_> = file.lines().map(|l| (l.number, l.text, l.reading.word(), l.value)).collect();
    assert_eq!(
        found,
        [
            (1, "# x", "comment", ""),
            (2, "User-agent: \u{FFFD} # y", "user-agent", "\u{FFFD}"),
            (3, "", "blank", ""),
            (4, "Disallow:/a", "disallow", "/a"),
            (5, "what", "unreadable", ""),
        ]
    );
    assert!(file.has_valid_lines() && RobotsTxt::allow_all().lines().next().is_none());
}

#[test]
fn the_first_word_of_a_header_is_its_token() {
    let check = |header: &str, expect: &str| assert_eq!(product_token(header), expect);
    check("GossamerBot/1.0 (+https://example.com)", "GossamerBot");
    check(" my-bot run by me", "my-bot");
    check("", "");
}

/// Pseudo-random numbers from a fixed seed, so that a failure can be repeated.
fn random(seed: u64) -> impl FnMut(usize) -> usize {
    let mut state = seed;
    move |below| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(state >> 33).unwrap_or(0) % below
    }
}

#[test]
fn no_bytes_are_too_odd() {
    let mut pick = random(1);
    let pieces: &[&[u8]] = &[
        b"User-agent",
        b"Disallow",
        b"Allow",
        b"Sitemap",
        b"Crawl-delay",
        b":",
        b" ",
        b"\t",
        b"\n",
        b"\r",
        b"\0",
        b"#",
        b"*",
        b"$",
        b"/",
        b"%2",
        b"%2f",
        b"\xe9",
        b"\xEF\xBB\xBF",
        "é".as_bytes(),
        b"<",
        b"a",
        b"://",
        b"index.html",
    ];
    for _ in 0..3_000 {
        let bytes: Vec<u8> = (0..pick(60)).flat_map(|_| pieces[pick(pieces.len())]).copied().collect();
        let file = RobotsTxt::parse(&bytes);
        let group = file.group("a");
        let url: String = String::from_utf8_lossy(&bytes).into_owned();
        assert_eq!(group.decide(&url).allowed, group.allows(&url));
        let _ = (group.name(), group.rules(), file.group("*").crawl_delay());
        let ends = file.lines().map(|line| line.number).last().unwrap_or(0);
        assert!(file.problems().iter().all(|p| p.line >= 1 && p.line <= ends.max(1)));
    }
}

/// The numbers and values of the rules that a crawler of any name follows.
fn rules_of(bytes: &[u8]) -> Vec<(u32, String)> {
    let group = RobotsTxt::parse(bytes).group("a");
    group.rules().into_iter().map(|rule| (rule.number, rule.pattern.to_string())).collect()
}

#[test]
fn hostile_lines_harm_neither_themselves_nor_the_next() {
    let check = |hostile: &[u8], lines: u32, value: &str| {
        let bytes = [b"User-agent: *\nDisallow: ", hostile, b"\nDisallow: /next"].concat();
        let found = rules_of(&bytes);
        let expect = [(2, value.to_owned()), (2 + lines, "/next".to_owned())];
        assert!(found == expect, "{:?}", String::from_utf8_lossy(&hostile[..hostile.len().min(60)]));
    };
    let kept = MAX_LINE_BYTES - "Disallow: ".len();
    for unit in ["é", "字", "🦀", "\u{FEFF}", "a"] {
        for surplus in 0..6 {
            let long = format!("/{}", unit.repeat(kept / unit.len() + surplus));
            let value = String::from_utf8_lossy(&long.as_bytes()[..kept.min(long.len())]);
            check(long.as_bytes(), 1, &value);
        }
        let huge = format!("/{}", unit.repeat(100_000));
        check(huge.as_bytes(), 1, &String::from_utf8_lossy(&huge.as_bytes()[..kept]));
    }
    check(&[b"/".as_slice(), &[0xE9; 40_000]].concat(), 1, &format!("/{}", "\u{FFFD}".repeat(kept - 1)));
    for stray in ["/50%", "/50%-off", "/%", "/%%%é%2", "/%zz/%e9", "/a%2fb%2F", "%", "/é%\u{a0}"] {
        check(stray.as_bytes(), 1, stray);
    }
    check(b"/a # \xEF\xBB\xBF%: /b", 1, "/a");
    check(b"\xEF\xBB\xBF/a", 1, "\u{FEFF}/a");
    check(b"/a\0/b: c", 1, "/a");
    check(b"/a\r", 1, "/a");
    check(b"/a\r\r", 2, "/a");
    check(b"/a\r\r\n\n\r", 4, "/a");
    for mark in [&b"\xEF\xBB\xBF"[..], b"\xEF\xBB", b"\xEF", b""] {
        let bytes = [mark, b"User-agent: *\rDisallow: /%\xEF\xBB\xBF\r"].concat();
        assert_eq!(rules_of(&bytes), [(2, "/%\u{FEFF}".to_owned())], "{mark:?}");
    }
}

#[test]
fn half_a_megabyte_of_noise_hides_no_line() {
    const WHITE: [char; 4] = [' ', '\t', '\u{B}', '\u{C}'];
    let mut pick = random(3);
    // All bytes; bytes beyond ASCII almost without line endings; and what robots.txt is made of.
    let alphabets: [Vec<u8>; 3] = [
        (0..=255).collect(),
        (0..40).flat_map(|_| 0x80..=0xFF).chain(*b"\n\r").collect(),
        b"::%%##**$/ \t\n\r\0\xE9\xC3\xA9ALOWDISalowdisuser-agent".to_vec(),
    ];
    for alphabet in &alphabets {
        let mut noise = || -> Vec<u8> { (0..255_000).map(|_| alphabet[pick(alphabet.len())]).collect() };
        let bytes =
            [&noise(), &b"\nUser-agent: own-bot\nDisallow: /own%\xE9 # x\nUser-agent: *\n"[..], &noise()]
                .concat();
        let file = RobotsTxt::parse(&bytes);
        assert!(!file.is_truncated());
        let text = String::from_utf8_lossy(&bytes).replace("\r\n", "\n").replace('\r', "\n");
        let expect: Vec<&str> = text.strip_suffix('\n').unwrap_or(&text).split('\n').collect();
        let found: Vec<&str> = file.lines().map(|line| line.text).collect();
        assert!(found == expect, "{} lines of {}", found.len(), expect.len());
        for line in file.lines() {
            let body = line.text.split(['\0', '#']).next().unwrap_or_default();
            assert!(body.trim_matches(WHITE).ends_with(line.value), "{line:?}");
            assert_eq!(line.value.trim_matches(WHITE), line.value);
        }
        let agent = expect.iter().position(|line| *line == "User-agent: own-bot").expect("it is in there");
        let group = file.group("own-bot");
        let rules: Vec<_> = group.rules().iter().map(|rule| (rule.number as usize, &*rule.pattern)).collect();
        assert_eq!(rules, [(agent + 2, "/own%\u{FFFD}")]);
        assert_eq!((group.allows("/own%%E9"), group.allows("/other")), (false, true));
    }
}

/// The matcher that follows every possible place of every `*`: slow, and plainly what the RFC says.
fn matches_slowly(pattern: &[u8], path: &[u8]) -> bool {
    let mut places: Vec<bool> = (0..=path.len()).map(|at| at == 0).collect();
    for (at, byte) in pattern.iter().enumerate() {
        if *byte == b'$' && at + 1 == pattern.len() {
            return places[path.len()];
        }
        let before = std::mem::take(&mut places);
        let mut reached = false;
        places = (0..=path.len())
            .map(|end| {
                reached |= before[end];
                if *byte == b'*' { reached } else { end > 0 && before[end - 1] && path[end - 1] == *byte }
            })
            .collect();
    }
    places.contains(&true)
}

#[test]
fn the_fast_matcher_agrees_with_the_slow_one() {
    let mut pick = random(2);
    for _ in 0..20_000 {
        let mut word = |alphabet: &[u8], most: usize| -> Vec<u8> {
            (0..=pick(most)).map(|_| alphabet[pick(alphabet.len())]).collect()
        };
        let (pattern, path) = (word(b"ab**/", 8), word(b"ab/", 12));
        let pattern = if pattern.len() % 3 == 0 { [&pattern[..], b"$"].concat() } else { pattern };
        let fast = Pattern::compile(&pattern).matches(&path, head_of(&path));
        let slow = matches_slowly(&pattern, &path);
        assert_eq!(fast, slow, "{} on {}", String::from_utf8_lossy(&pattern), String::from_utf8_lossy(&path));
    }
}
