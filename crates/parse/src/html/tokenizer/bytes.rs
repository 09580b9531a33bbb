//! Which bytes end what.

const SPACE: u8 = 1;
pub(super) const TAG_NAME_END: u8 = 2;
pub(super) const ATTRIBUTE_NAME_END: u8 = 4;
pub(super) const UNQUOTED_END: u8 = 8;

/// The classes each byte belongs to.
const CLASSES: [u8; 256] = {
    let mut table = [0_u8; 256];
    let spaces = [b'\t', b'\n', 0x0C, b' ', b'\r'];
    let mut index = 0;
    while index < spaces.len() {
        table[spaces[index] as usize] = SPACE | TAG_NAME_END | ATTRIBUTE_NAME_END | UNQUOTED_END;
        index += 1;
    }
    table[b'/' as usize] = TAG_NAME_END | ATTRIBUTE_NAME_END;
    table[b'>' as usize] = TAG_NAME_END | ATTRIBUTE_NAME_END | UNQUOTED_END;
    table[b'=' as usize] = ATTRIBUTE_NAME_END;
    table
};

/// Where the first byte of a class stands, from a place on.
#[inline]
pub(super) fn until(bytes: &[u8], from: usize, class: u8) -> usize {
    let from = from.min(bytes.len());
    bytes[from..].iter().position(|b| CLASSES[*b as usize] & class != 0).map_or(bytes.len(), |n| from + n)
}

#[inline]
pub(super) const fn is_space(byte: u8) -> bool {
    CLASSES[byte as usize] & SPACE != 0
}

/// Whether a name stands here, followed by what ends a tag name.
pub(super) fn is_tag_at(bytes: &[u8], at: usize, name: &[u8]) -> bool {
    bytes.get(at..at + name.len()).is_some_and(|found| found.eq_ignore_ascii_case(name))
        && bytes.get(at + name.len()).is_some_and(|next| CLASSES[*next as usize] & TAG_NAME_END != 0)
}
