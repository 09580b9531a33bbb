//! The report of broken links, written from crawls of hostile sites and read back in each of its forms.

#[path = "broken_links/read.rs"]
mod read;

use gossamer_tests::results::rows;
use gossamer_tests::{Answer, Finished, Gossamer, Server, Site};
use read::{Told, shown};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Texts that do harm where they are taken for something else.
fn hostile() -> Vec<String> {
    let mut texts: Vec<String> = [
        "=cmd|' /C calc'!A0",
        "+1",
        "@SUM(1+1)*cmd|' /C calc'!A0",
        "-2+3",
        "＝1+1",
        "'=quoted",
        "=HYPERLINK(\"http://evil.example/\",\"click\")",
        "<script>alert(1)</script>",
        "\"><img src=x onerror=alert(1)>",
        "'><svg/onload=alert(1)>",
        "</td></tr></table></details><h1>Mine</h1>",
        "<!--",
        "]]>",
        "&lt;b&gt; &amp;amp; &#x3c;",
        "abc\u{202e}fdp.exe",
        "שלום عالم",
        "👩‍👩‍👧 naïve 漢字",
        "_x0041_ _x005F_",
        "bell\u{1}\u{8}\u{1b}[31m\u{7f}",
        "a,b;c\"d",
    ]
    .map(str::to_owned)
    .to_vec();
    texts.push("x".repeat(40_000));
    texts
}

/// The text as a page writes it so that a browser shows it.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")
}

/// A page with a broken link for each hostile text, and whatever else can be broken.
fn hostile_site() -> Server {
    let mut links = String::new();
    for (nth, text) in hostile().iter().enumerate() {
        links.push_str(&format!("<p><a href=\"/missing/{nth}\">{}</a>\n", escaped(text)));
    }
    let hrefs = [
        "=1+1",
        "@x#<b>",
        "-1?a=\u{202e}&b=[{^}]",
        "  \t/spaced ",
        "http://[",
        "http://=cmd|calc:x/",
        "/r",
        "/loop",
        "/secret",
    ];
    for href in hrefs {
        links.push_str(&format!("<nav><a href=\"{}\">{}</a></nav>\n", escaped(href), escaped(href)));
    }
    links.push_str("<img src=/no.png alt='=1'><img src=/no.png><a href=http://127.0.0.1:1/>nobody</a><a href='/a.html'>a\0b</a>");
    let title = "=1+1 <script>alert(2)</script> \u{202e}";
    let home = format!(
        "<!doctype html><html><head><meta charset=utf-8><title>{}</title></head><body>{links}</body></html>",
        escaped(title)
    );
    Site::single()
        .route("main", "/", Answer::html(home))
        .route("main", "/a.html", Answer::page("Second", &["/missing/0", "/r"]))
        .route("main", "/r", Answer::redirect(301, "/missing/r"))
        .route("main", "/loop", Answer::redirect(302, "/loop"))
        .route("main", "/secret", Answer::status(401))
        .serve()
}

fn audit(server: &Server, project: &Path) {
    let _ =
        Gossamer::audit(&[server.url("main", "/")], project).set("fetch.retries", "0").run().expect_code(0);
}

fn export(project: &Path, to: &Path, more: &[&str]) -> Finished {
    let arguments =
        ["export".into(), project.as_os_str().to_owned(), "broken-links".into(), "--to".into(), to.into()];
    Gossamer::new(arguments).with(more).run()
}

/// A logo of one pixel.
const SVG: &str =
    "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"1\" height=\"1\"><script>alert(3)</script></svg>";

#[test]
fn hostile_texts_stay_texts_in_every_form() {
    let server = hostile_site();
    let folder = tempfile::tempdir().expect("a folder");
    let file = |name: &str| folder.path().join(name);
    let project = file("hostile.gossamer");
    audit(&server, &project);
    std::fs::write(file("logo.svg"), SVG).expect("the logo");
    let brand = "version = 1\n[report]\nagency = '=<b>Adler</b>'\nlogo = 'logo.svg'\nintro = \"\"\"\n<script>\n\n=1+1\n\"\"\"\n";
    std::fs::write(file("agency.toml"), brand).expect("the profile");
    let profile = file("agency.toml").display().to_string();
    for form in ["csv", "xlsx", "html", "json"] {
        let _ = export(&project, &file(&format!("broken.{form}")), &["--unverified", "--profile", &profile])
            .expect_code(0);
    }

    // All forms tell the same.
    let sorted = |mut told: Vec<Told>| {
        told.sort();
        told
    };
    let from_csv = sorted(read::csv(&file("broken.csv")));
    let page = read::page(&file("broken.html"));
    assert_eq!(sorted(read::xlsx(&file("broken.xlsx"))), from_csv);
    assert_eq!(sorted(read::html(&page)), from_csv);
    let json = std::fs::read_to_string(file("broken.json")).expect("the JSON file");
    let json: Vec<serde_json::Value> = serde_json::from_str(&json).expect("JSON");
    assert_eq!(json.len(), from_csv.len());

    // It is what the documented view has.
    let of_view = rows(&project, "v_links", &["source", "target", "verdict", "line"]);
    let bad = |row: &&Vec<String>| matches!(row[2].as_str(), "broken" | "invalid" | "unverified");
    let expect: BTreeSet<[String; 3]> = of_view
        .iter()
        .filter(bad)
        .map(|row| [row[0].clone(), row[1].replace('∅', ""), row[3].clone()])
        .collect();
    let told: BTreeSet<[String; 3]> = from_csv
        .iter()
        .map(|told| {
            [
                told.page.clone(),
                told.target.clone(),
                if told.line.is_empty() { "0".into() } else { told.line.clone() },
            ]
        })
        .collect();
    assert_eq!(told, expect);

    // Every text is there, as it was.
    let anchors: BTreeSet<&str> = from_csv.iter().map(|told| told.anchor.as_str()).collect();
    for text in hostile() {
        let text = shown(&text);
        let whole = anchors.contains(text.as_str());
        // A text of this length is cut by the crawl already.
        let cut = text.len() > 2_000
            && anchors.iter().any(|anchor| anchor.len() >= 1_000 && text.starts_with(anchor));
        assert!(whole || cut, "{text:?} is missing");
    }

    no_cell_is_run(&file("broken.csv"), &file("broken.xlsx"));
    nothing_of_the_site_is_markup(&page);
    spreadsheet_opens(&file("broken.xlsx"), from_csv.len(), folder.path());
}

fn no_cell_is_run(csv: &Path, xlsx: &Path) {
    assert!(
        std::fs::read(csv).expect("the CSV file").starts_with("\u{feff}".as_bytes()),
        "no byte order mark"
    );
    for cell in read::csv_rows(csv).iter().flat_map(|row| row.values()) {
        assert!(!cell.starts_with(['=', '+', '-', '@', '\t', '\r', '＝']), "{cell:?} is run");
    }
    let book = read::workbook(xlsx);
    assert!(!book.elements.contains("f"), "a formula");
    assert_eq!(
        book.sheets.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(),
        ["Summary", "Broken links"]
    );
    let (_, summary) = &book.sheets[0];
    for text in ["=<b>Adler</b>", "=1+1", "<script>"] {
        assert!(summary.values().any(|cell| cell == text), "{text} is missing in {summary:?}");
    }
    let links = String::from_utf8(book.parts["xl/worksheets/_rels/sheet2.xml.rels"].clone()).expect("UTF-8");
    let targets: Vec<&str> =
        links.split("Target=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
    assert!(targets.len() > 40, "{} hyperlinks", targets.len());
    for target in targets {
        let plain = |c: char| c.is_ascii_graphic() && !"<>\"[]{}|\\^`".contains(c);
        assert!(target.starts_with("http://127.0.0.1:") && target.chars().all(plain), "{target:?}");
    }
}

/// What the report itself is made of. The site's texts look like some of these, so none may appear more often than it should.
fn nothing_of_the_site_is_markup(page: &scraper::Html) {
    const ELEMENTS: [&str; 35] = [
        "html", "head", "meta", "title", "style", "body", "header", "div", "img", "span", "h1", "h2", "p",
        "a", "bdi", "br", "main", "ul", "li", "b", "i", "small", "section", "table", "thead", "tbody", "tr",
        "th", "td", "details", "summary", "code", "footer", "strong", "em",
    ];
    const ATTRIBUTES: [&str; 14] = [
        "lang",
        "charset",
        "http-equiv",
        "content",
        "name",
        "class",
        "id",
        "open",
        "href",
        "rel",
        "target",
        "dir",
        "alt",
        "src",
    ];
    let mut pictures = 0;
    let mut headings = 0;
    for element in page.tree.nodes().filter_map(|node| node.value().as_element()) {
        assert!(ELEMENTS.contains(&element.name()), "an element {}", element.name());
        for (name, value) in element.attrs() {
            assert!(ATTRIBUTES.contains(&name), "an attribute {name}");
            let leads_out = ["http://127.0.0.1:", "#"].iter().any(|start| value.starts_with(start));
            assert!(name != "href" || leads_out, "a link to {value}");
            assert!(name != "src" || value.starts_with("data:image/svg+xml;base64,"), "a source {value}");
        }
        if element.name() == "a" && !element.attr("href").unwrap_or_default().starts_with('#') {
            assert_eq!(element.attr("rel"), Some("noopener noreferrer"));
        }
        pictures += usize::from(element.name() == "img");
        headings += usize::from(element.name() == "h1");
    }
    assert_eq!((pictures, headings), (1, 1));
    let comments = page.tree.nodes().filter(|node| node.value().is_comment()).count();
    assert_eq!((comments, &page.errors), (0, &Vec::new()));
    let policy =
        scraper::Selector::parse("meta[http-equiv=\"Content-Security-Policy\"]").expect("a selector");
    let policy = page.select(&policy).next().and_then(|meta| meta.attr("content")).expect("a policy");
    assert!(policy.contains("default-src 'none'") && !policy.contains("script-src"), "{policy}");
}

/// An office program that was not written here opens the workbook, where there is one.
fn spreadsheet_opens(xlsx: &Path, rows: usize, folder: &Path) {
    let profile = folder.join("office");
    // All sheets, comma-separated, UTF-8, every text in quotes (the filter's tokens are documented by LibreOffice).
    let converted = std::process::Command::new("soffice")
        .arg("--headless")
        .arg(format!("-env:UserInstallation=file://{}", profile.display()))
        .args([
            "--convert-to",
            "csv:Text - txt - csv (StarCalc):44,34,76,1,,0,true,true,false,false,false,-1",
            "--outdir",
        ])
        .args([folder, xlsx])
        .output();
    let Ok(converted) = converted else {
        eprintln!("skipped: no soffice here to open the workbook with");
        return;
    };
    let said = String::from_utf8_lossy(&converted.stderr).into_owned();
    let sheet = folder.join("broken-Broken links.csv");
    assert!(converted.status.success() && sheet.is_file(), "{said}");
    let read = read::csv_rows(&sheet);
    assert_eq!(read.len(), rows);
    assert!(read.iter().any(|row| row["Link text"] == "=cmd|' /C calc'!A0"), "{:?}", read.first());
}

#[test]
fn first_seen_is_the_earliest_crawl_with_the_same_broken_link() {
    let home = |links: &str| Answer::html(format!("<!doctype html><title>Home</title>{links}"));
    let server = Site::single()
        .sequence(
            "main",
            "/",
            vec![
                home("<a href=/gone>g</a><a href=/later>l</a><a href=/b>b</a><a href='http://['>i</a>"),
                home("<a href=/gone>again</a><a href=/later>l</a><a href=/b>b</a><a href='http://['>i</a><a href='http://]'>j</a>"),
            ],
        )
        .sequence("main", "/b", vec![Answer::page("B", &["/"]), Answer::page("B", &["/gone"])])
        .sequence("main", "/later", vec![Answer::page("Later", &["/"]), Answer::status(410)])
        .serve();
    let folder = tempfile::tempdir().expect("a folder");
    let project = folder.path().join("twice.gossamer");
    audit(&server, &project);
    audit(&server, &project);
    let started: Vec<String> = rows(&project, "v_crawls", &["started"]).into_iter().flatten().collect();
    let report = |more: &[&str]| -> BTreeSet<[String; 4]> {
        let to = folder.path().join("twice.csv");
        let _ = export(&project, &to, more).expect_code(0);
        let path = |url: &str| url.rsplit('/').next().map(|path| format!("/{path}")).unwrap_or_default();
        read::csv_rows(&to)
            .iter()
            .map(|row| {
                let target =
                    if row["target"].is_empty() { row["raw_href"].clone() } else { path(&row["target"]) };
                let crawl =
                    started.iter().position(|started| *started == row["first_seen"]).map_or(0, |at| at + 1);
                [path(&row["page"]), target, row["verdict"].clone(), crawl.to_string()]
            })
            .collect()
    };
    let expect = |rows: &[[&str; 4]]| -> BTreeSet<[String; 4]> {
        rows.iter().map(|row| row.map(str::to_owned)).collect()
    };
    assert_eq!(
        report(&[]),
        expect(&[
            // The anchor text changed; the link is the same.
            ["/", "/gone", "broken", "1"],
            ["/", "/later", "broken", "2"],
            ["/b", "/gone", "broken", "2"],
            ["/", "http://[", "invalid address", "1"],
            ["/", "http://]", "invalid address", "2"],
        ])
    );
    let first = [["/", "/gone", "broken", "1"], ["/", "http://[", "invalid address", "1"]];
    assert_eq!(report(&["--crawl", "1"]), expect(&first));
}

#[test]
fn what_could_not_be_verified_is_listed_on_request_and_never_as_broken() {
    let server = Site::single()
        .route("main", "/", Answer::page("Home", &["/secret", "/gone"]))
        .route("main", "/secret", Answer::status(403))
        .serve();
    let folder = tempfile::tempdir().expect("a folder");
    let project = folder.path().join("secret.gossamer");
    audit(&server, &project);
    let verdicts = |more: &[&str]| -> Vec<String> {
        let to = folder.path().join("secret.csv");
        let _ = export(&project, &to, more).expect_code(0);
        read::csv_rows(&to).iter().map(|row| format!("{} {}", row["reason"], row["verdict"])).collect()
    };
    assert_eq!(verdicts(&[]), ["404 Not Found broken"]);
    assert_eq!(verdicts(&["--unverified"]), ["404 Not Found broken", "403 Forbidden could not verify"]);
    let to = folder.path().join("secret.html");
    let _ = export(&project, &to, &[]).expect_code(0);
    let text: String = read::page(&to).root_element().text().collect();
    assert!(text.contains("1 occurrence, not listed"), "{text}");
}

#[test]
fn wrong_requests_are_refused_in_words() {
    let server = Site::single().route("main", "/", Answer::page("Home", &["/gone"])).serve();
    let folder = tempfile::tempdir().expect("a folder");
    let project = folder.path().join("site.gossamer");
    audit(&server, &project);
    let check = |to: &str, more: &[&str], code: i32, expect: &str| {
        let to: PathBuf = folder.path().join(to);
        let finished = export(&project, &to, more).expect_code(code);
        assert!(finished.stderr.contains(expect), "{}", finished.stderr);
        assert!(!to.exists(), "{} was written", to.display());
    };
    check("a.docx", &[], 2, ".csv, .xlsx, .html, .json, .jsonl");
    check("a", &[], 2, ".xlsx");
    check("a.csv", &["--crawl", "all"], 2, "one crawl");
    check("a.csv", &["--crawl", "7"], 2, "no crawl 7");
    check("a.html", &["--set", "report.logo=absent.png"], 2, "report.logo: absent.png cannot be read");
    check("a.html", &["--set", "report.agenci=x"], 2, "did you mean report.agency");
    check("absent/a.html", &[], 4, "cannot be written");
    let view = [
        "export".into(),
        project.as_os_str().to_owned(),
        "v_links".into(),
        "--to".into(),
        folder.path().join("x.csv").into(),
    ];
    let finished = Gossamer::new(view).with(&["--unverified"]).run().expect_code(2);
    assert!(finished.stderr.contains("broken-links"), "{}", finished.stderr);
}

#[test]
fn views_are_exported_as_workbooks() {
    let server = hostile_site();
    let folder = tempfile::tempdir().expect("a folder");
    let (project, to) = (folder.path().join("site.gossamer"), folder.path().join("links.xlsx"));
    audit(&server, &project);
    let view =
        ["export".into(), project.as_os_str().to_owned(), "v_links".into(), "--to".into(), to.clone().into()];
    let _ = Gossamer::new(view).run().expect_code(0);
    let book = read::workbook(&to);
    assert!(!book.elements.contains("f"), "a formula");
    let (name, cells) = &book.sheets[0];
    assert_eq!((book.sheets.len(), name.as_str()), (1, "Rows"));
    let columns = ["source", "target", "anchor", "raw_href", "target_status"];
    let told: BTreeSet<Vec<String>> = read::table(cells)
        .iter()
        .map(|row| columns.map(|column| row.get(column).cloned().unwrap_or_default()).to_vec())
        .collect();
    let expect: BTreeSet<Vec<String>> = rows(&project, "v_links", &columns)
        .into_iter()
        .map(|row| row.iter().map(|cell| shown(&cell.replace('∅', ""))).collect())
        .collect();
    assert_eq!(told, expect);
}
