//! What a certificate says, read from its DER (RFC 5280): issuer, subject, names and dates.
//!
//! This reader judges nothing and trusts nothing; verification is the TLS library's. It never fails loudly: a
//! certificate that cannot be read gives `None`.

use model::calendar::{date_of, days_since_epoch, is_date};
use model::clock::unix_millis;
use std::net::IpAddr;
use std::time::{Duration, SystemTime};

/// Names kept of one certificate; shared hosting puts hundreds into one.
const MAX_NAMES: usize = 100;

/// The fields of one certificate that people are told about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Certificate<'a> {
    /// Of X.509: 3 wherever a website's certificate is valid (RFC 5280 §4.1.2.1).
    pub(crate) version: u8,
    /// The issuer's and the subject's distinguished names as encoded, for comparing.
    pub(crate) issuer: &'a [u8],
    pub(crate) subject: &'a [u8],
    pub(crate) names: Vec<String>,
    pub(crate) not_before: SystemTime,
    pub(crate) not_after: SystemTime,
}

impl<'a> Certificate<'a> {
    pub(crate) fn read(der: &'a [u8]) -> Option<Self> {
        let mut certificate = Der(Der(der).expect(SEQUENCE)?);
        let mut fields = Der(certificate.expect(SEQUENCE)?);
        let (tag, content) = fields.next()?;
        let mut version = 1;
        if tag == CONTEXT_0 {
            // Counted from 0; a version that is not told is the first.
            version = Der(content).expect(INTEGER)?.last()?.saturating_add(1);
            fields.expect(INTEGER)?;
        }
        fields.expect(SEQUENCE)?;
        let issuer = fields.expect(SEQUENCE)?;
        let mut validity = Der(fields.expect(SEQUENCE)?);
        let (not_before, not_after) = (time(validity.next()?)?, time(validity.next()?)?);
        let subject = fields.expect(SEQUENCE)?;
        fields.expect(SEQUENCE)?;
        let mut names = Vec::new();
        while let Some((tag, content)) = fields.next() {
            if tag == CONTEXT_3 {
                names = alternative_names(content).unwrap_or_default();
            }
        }
        Some(Self { version, issuer, subject, names, not_before, not_after })
    }
}

const INTEGER: u8 = 0x02;
const OCTET_STRING: u8 = 0x04;
const OBJECT_ID: u8 = 0x06;
const BMP_STRING: u8 = 0x1e;
const UTC_TIME: u8 = 0x17;
const GENERALIZED_TIME: u8 = 0x18;
const SEQUENCE: u8 = 0x30;
const SET: u8 = 0x31;
const CONTEXT_0: u8 = 0xa0;
const CONTEXT_3: u8 = 0xa3;
const DNS_NAME: u8 = 0x82;
const IP_ADDRESS: u8 = 0x87;

/// 2.5.29.17, subjectAltName.
const ALTERNATIVE_NAMES: &[u8] = &[0x55, 0x1d, 0x11];
/// 2.5.4.3, commonName.
const COMMON_NAME: &[u8] = &[0x55, 0x04, 0x03];
/// 2.5.4.10, organizationName.
const ORGANISATION: &[u8] = &[0x55, 0x04, 0x0a];

/// A run of DER elements.
struct Der<'a>(&'a [u8]);

impl<'a> Der<'a> {
    /// The next element's tag and content.
    fn next(&mut self) -> Option<(u8, &'a [u8])> {
        let (&tag, rest) = self.0.split_first()?;
        let (&first, rest) = rest.split_first()?;
        let (length, rest) = match first {
            0..=0x7f => (usize::from(first), rest),
            0x81..=0x84 => {
                let (bytes, rest) = rest.split_at_checked(usize::from(first & 0x7f))?;
                (bytes.iter().fold(0, |length, byte| length << 8 | usize::from(*byte)), rest)
            }
            _ => return None,
        };
        let (content, rest) = rest.split_at_checked(length)?;
        self.0 = rest;
        Some((tag, content))
    }

    fn expect(&mut self, tag: u8) -> Option<&'a [u8]> {
        self.next().filter(|(found, _)| *found == tag).map(|(_, content)| content)
    }
}

fn alternative_names(extensions: &[u8]) -> Option<Vec<String>> {
    let mut extensions = Der(Der(extensions).expect(SEQUENCE)?);
    while let Some(extension) = extensions.expect(SEQUENCE) {
        let mut parts = Der(extension);
        if parts.expect(OBJECT_ID)? != ALTERNATIVE_NAMES {
            continue;
        }
        // A flag for criticality may stand before the value.
        let value = std::iter::from_fn(|| parts.next()).find(|(tag, _)| *tag == OCTET_STRING)?.1;
        let mut names = Der(Der(value).expect(SEQUENCE)?);
        return Some(std::iter::from_fn(|| names.next()).filter_map(name).take(MAX_NAMES).collect());
    }
    None
}

fn name((tag, content): (u8, &[u8])) -> Option<String> {
    match tag {
        DNS_NAME => Some(String::from_utf8_lossy(content).into_owned()),
        IP_ADDRESS => match content.len() {
            4 => <[u8; 4]>::try_from(content).ok().map(|octets| IpAddr::from(octets).to_string()),
            16 => <[u8; 16]>::try_from(content).ok().map(|octets| IpAddr::from(octets).to_string()),
            _ => None,
        },
        _ => None,
    }
}

/// A distinguished name for people: its common name, with the organisation where that says more.
pub(crate) fn readable(distinguished_name: &[u8]) -> String {
    let (mut common, mut organisation) = (None, None);
    let mut parts = Der(distinguished_name);
    while let Some(part) = parts.expect(SET) {
        let mut attributes = Der(part);
        while let Some(attribute) = attributes.expect(SEQUENCE) {
            let mut pair = Der(attribute);
            let (Some(id), Some(value)) = (pair.expect(OBJECT_ID), pair.next()) else { continue };
            match id {
                COMMON_NAME => common = Some(text(value)),
                ORGANISATION => organisation = Some(text(value)),
                _ => {}
            }
        }
    }
    match (common, organisation) {
        (Some(common), Some(organisation)) if common != organisation => format!("{common} ({organisation})"),
        (Some(one), _) | (None, Some(one)) => one,
        (None, None) => "(no name)".to_owned(),
    }
}

fn text((tag, content): (u8, &[u8])) -> String {
    let text = if tag == BMP_STRING {
        let units = content.chunks_exact(2).map(|pair| u16::from_be_bytes([pair[0], pair[1]]));
        char::decode_utf16(units).map(|unit| unit.unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
    } else {
        String::from_utf8_lossy(content).into_owned()
    };
    text.chars().filter(|c| !c.is_control()).take(200).collect()
}

/// UTCTime (years 1950 to 2049) or GeneralizedTime, both in UTC with seconds (RFC 5280 §4.1.2.5).
fn time((tag, content): (u8, &[u8])) -> Option<SystemTime> {
    let (year, rest) = match tag {
        UTC_TIME => {
            let (year, rest) = content.split_at_checked(2)?;
            let year = number(year)?;
            (if year < 50 { 2000 + year } else { 1900 + year }, rest)
        }
        GENERALIZED_TIME => {
            let (year, rest) = content.split_at_checked(4)?;
            (number(year)?, rest)
        }
        _ => return None,
    };
    let mut pairs = rest.get(..10)?.chunks_exact(2).map(number);
    let mut pair = || pairs.next().flatten();
    let (month, day, hour, minute, second) = (pair()?, pair()?, pair()?, pair()?, pair()?);
    if !is_date(year, month, day) {
        return None;
    }
    let seconds = days_since_epoch(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second;
    match u64::try_from(seconds) {
        Ok(after) => SystemTime::UNIX_EPOCH.checked_add(Duration::from_secs(after)),
        Err(_) => SystemTime::UNIX_EPOCH.checked_sub(Duration::from_secs(seconds.unsigned_abs())),
    }
}

fn number(digits: &[u8]) -> Option<i64> {
    digits
        .iter()
        .try_fold(0, |value, digit| digit.is_ascii_digit().then(|| value * 10 + i64::from(digit - b'0')))
}

/// A moment's date in UTC: `2021-01-01`.
pub(crate) fn date(moment: SystemTime) -> String {
    let (year, month, day) = date_of(unix_millis(moment).div_euclid(86_400_000));
    format!("{year:04}-{month:02}-{day:02}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: u64) -> SystemTime {
        SystemTime::UNIX_EPOCH + Duration::from_secs(seconds)
    }

    #[test]
    fn a_certificate_is_read() {
        let key = rcgen::KeyPair::generate().expect("a key");
        let mut params =
            rcgen::CertificateParams::new(vec!["www.example.com".into(), "127.0.0.1".into()]).expect("names");
        params.distinguished_name.push(rcgen::DnType::CommonName, "Example é");
        params.distinguished_name.push(rcgen::DnType::OrganizationName, "Example Ltd");
        params.not_before = rcgen::date_time_ymd(2020, 2, 29);
        params.not_after = rcgen::date_time_ymd(2051, 12, 31);
        let made = params.self_signed(&key).expect("a certificate");
        let read = Certificate::read(made.der()).expect("readable");
        assert_eq!(read.names, ["www.example.com", "127.0.0.1"]);
        assert_eq!(read.issuer, read.subject);
        assert_eq!(read.version, 3);
        assert_eq!(readable(read.subject), "Example é (Example Ltd)");
        assert_eq!((date(read.not_before), date(read.not_after)), ("2020-02-29".into(), "2051-12-31".into()));
        for cut in 0..made.der().len() {
            assert_eq!(Certificate::read(&made.der()[..cut]), None, "cut at {cut}");
        }
    }

    #[test]
    fn times_and_dates() {
        let check = |tag: u8, text: &str, expect: Option<u64>| {
            assert_eq!(time((tag, text.as_bytes())), expect.map(at), "{text}");
        };
        check(UTC_TIME, "700101000000Z", Some(0));
        check(UTC_TIME, "210101000000Z", Some(1_609_459_200));
        check(GENERALIZED_TIME, "20440229235959Z", Some(2_340_403_199));
        check(UTC_TIME, "21010100", None);
        check(UTC_TIME, "219901000000Z", None);
        check(UTC_TIME, "210231000000Z", None);
        check(GENERALIZED_TIME, "2o440101000000Z", None);
        assert_eq!(date(at(1_609_459_199)), "2020-12-31");
        assert_eq!(date(SystemTime::UNIX_EPOCH - Duration::from_secs(1)), "1969-12-31");
    }
}
