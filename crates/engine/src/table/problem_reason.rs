//! Why a link is a problem, in the words of the report of broken links, as SQL.

/// The reason of a problem target, over `verdict`, `loop`, `final_url` and `final_status` and the columns with the reason that the
/// file gives and with the status. A redirect works until one sees where it ends; what forbids to ask is told as it is.
macro_rules! problem_reason {
    ($reason:literal, $status:literal) => {
        concat!(
            "CASE WHEN verdict = 'invalid' THEN 'not a valid address' \
             WHEN ", $reason, " IS NOT NULL THEN CASE ", $reason, " ",
            "WHEN 'dns' THEN 'host name does not resolve' WHEN 'connect' THEN 'no connection to the server' \
             WHEN 'tls-expired' THEN 'certificate expired' WHEN 'tls-not-yet-valid' THEN 'certificate not valid yet' \
             WHEN 'tls-wrong-host' THEN 'certificate is for another host name' \
             WHEN 'tls-old-version' THEN 'only old TLS versions' \
             WHEN 'tls-untrusted' THEN 'certificate is not trusted' \
             WHEN 'tls-incomplete-chain' THEN 'certificate chain is incomplete' \
             WHEN 'tls' THEN 'secure connection failed' WHEN 'timeout' THEN 'no answer in time' \
             WHEN 'reset' THEN 'connection broken off' WHEN 'protocol' THEN 'answer is not valid HTTP' \
             WHEN 'too-many-redirects' THEN 'too many redirects' WHEN 'decode' THEN 'answer cannot be decoded' \
             WHEN 'address-not-allowed' THEN 'address is not allowed' \
             WHEN 'invalid-url' THEN 'address cannot be requested'",
            " ELSE ", $reason, " END \
             WHEN ", $status, " BETWEEN 300 AND 399 AND \"loop\" THEN 'redirects in a circle' \
             WHEN ", $status, " BETWEEN 300 AND 399 AND final_url IS NOT NULL AND final_status IS NULL THEN 'redirects to no answer' \
             WHEN ", $status, " IS NOT NULL THEN CASE WHEN ", $status, " BETWEEN 300 AND 399 AND final_url IS NOT NULL THEN 'redirects to ' || final_status \
             ELSE ", $status, " END || ' ' || CASE CASE WHEN ", $status, " BETWEEN 300 AND 399 AND final_url IS NOT NULL THEN final_status ELSE ", $status, " END ",
            "WHEN 300 THEN 'Multiple Choices' WHEN 301 THEN 'Moved Permanently' WHEN 302 THEN 'Found' \
             WHEN 303 THEN 'See Other' WHEN 304 THEN 'Not Modified' WHEN 305 THEN 'Use Proxy' \
             WHEN 307 THEN 'Temporary Redirect' WHEN 308 THEN 'Permanent Redirect' WHEN 400 THEN 'Bad Request' \
             WHEN 401 THEN 'Unauthorized' WHEN 402 THEN 'Payment Required' WHEN 403 THEN 'Forbidden' \
             WHEN 404 THEN 'Not Found' WHEN 405 THEN 'Method Not Allowed' WHEN 406 THEN 'Not Acceptable' \
             WHEN 407 THEN 'Proxy Authentication Required' WHEN 408 THEN 'Request Timeout' WHEN 409 THEN 'Conflict' \
             WHEN 410 THEN 'Gone' WHEN 411 THEN 'Length Required' WHEN 412 THEN 'Precondition Failed' \
             WHEN 413 THEN 'Payload Too Large' WHEN 414 THEN 'URI Too Long' WHEN 415 THEN 'Unsupported Media Type' \
             WHEN 416 THEN 'Range Not Satisfiable' WHEN 417 THEN 'Expectation Failed' WHEN 418 THEN 'I''m a teapot' \
             WHEN 421 THEN 'Misdirected Request' WHEN 422 THEN 'Unprocessable Entity' WHEN 423 THEN 'Locked' \
             WHEN 424 THEN 'Failed Dependency' WHEN 425 THEN 'Too Early' WHEN 426 THEN 'Upgrade Required' \
             WHEN 428 THEN 'Precondition Required' WHEN 429 THEN 'Too Many Requests' \
             WHEN 431 THEN 'Request Header Fields Too Large' WHEN 451 THEN 'Unavailable For Legal Reasons' \
             WHEN 500 THEN 'Internal Server Error' WHEN 501 THEN 'Not Implemented' WHEN 502 THEN 'Bad Gateway' \
             WHEN 503 THEN 'Service Unavailable' WHEN 504 THEN 'Gateway Timeout' \
             WHEN 505 THEN 'HTTP Version Not Supported' WHEN 506 THEN 'Variant Also Negotiates' \
             WHEN 507 THEN 'Insufficient Storage' WHEN 508 THEN 'Loop Detected' WHEN 510 THEN 'Not Extended' \
             WHEN 511 THEN 'Network Authentication Required' WHEN 520 THEN 'Unknown Error' \
             WHEN 521 THEN 'Web Server Is Down' WHEN 522 THEN 'Connection Timed Out' \
             WHEN 523 THEN 'Origin Is Unreachable' WHEN 524 THEN 'A Timeout Occurred' \
             WHEN 525 THEN 'SSL Handshake Failed' WHEN 526 THEN 'Invalid SSL Certificate' WHEN 530 THEN 'Origin Error' \
             WHEN 999 THEN 'Request Denied'",
            " ELSE CASE WHEN coalesce(final_status, ", $status, ") >= 500 THEN 'Server Error' ELSE 'Error' END END END"
        )
    };
}
pub(super) use problem_reason;

#[cfg(test)]
mod tests {
    use crate::broken_links::plain_reason;
    use crate::seams::Engine;
    use model::FailureKind;
    use store::{Reader, Value, Writer};

    #[test]
    fn reasons_have_the_words_of_the_report() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.gossamer");
        drop(Writer::open(&path, &Engine::system().store_options()).unwrap());
        let reader = Reader::open(&path).unwrap();
        let sql = concat!(
            "SELECT ",
            problem_reason!("reason", "status"),
            " FROM (SELECT ?1 AS verdict, ?2 AS status, ?3 AS reason, ?4 AS loop, ?5 AS final_url, ?6 AS final_status)"
        );
        let told = |values: [Value; 6]| {
            reader.one(sql, &values, |row| row.opt_text(0).map(str::to_owned)).unwrap().flatten().unwrap()
        };
        let broken = || Value::from("broken");
        for status in 300..1_000_i64 {
            let expect = plain_reason(Some(status), None);
            let own = [broken(), status.into(), Value::Null, Value::Null, Value::Null, Value::Null];
            assert_eq!(told(own), expect);
            let end = [broken(), 301.into(), Value::Null, 0.into(), "https://h.test/".into(), status.into()];
            assert_eq!(told(end), format!("redirects to {expect}"));
        }
        for kind in FailureKind::ALL {
            let failed = [broken(), Value::Null, kind.word().into(), Value::Null, Value::Null, Value::Null];
            assert_eq!(told(failed), plain_reason(None, Some(kind.word())));
        }
        let check = |verdict: &str,
                     status: Option<i64>,
                     reason: Option<&str>,
                     in_circle: i64,
                     end: Option<&str>,
                     expect: &str| {
            let text = |text: Option<&str>| text.map_or(Value::Null, Value::from);
            let status = status.map_or(Value::Null, Value::Int);
            assert_eq!(
                told([verdict.into(), status, text(reason), in_circle.into(), text(end), Value::Null]),
                expect
            );
        };
        check("invalid", None, None, 0, None, "not a valid address");
        check("blocked", None, Some("Disallow: /x"), 0, None, "Disallow: /x");
        check("broken", Some(302), None, 1, Some("https://h.test/"), "redirects in a circle");
        check("broken", Some(302), None, 0, Some("https://h.test/"), "redirects to no answer");
    }
}
