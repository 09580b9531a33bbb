//! Enumerations that are stored as small numbers and shown as words.
//!
//! The number is the project file's, the word is the person's; both are declared once, here, and a
//! number is never reused for another meaning.

/// Declares an enumeration whose variants have a stored number and a shown word.
///
/// Gives `code()`, `from_code()`, `word()`, `from_word()`, `ALL` and `sql_case(column)`, an SQL expression that
/// turns the stored number into the word.
#[macro_export]
macro_rules! coded {
    ($(#[$meta:meta])* pub enum $name:ident { $($(#[$vmeta:meta])* $variant:ident = $code:literal => $word:literal),+ $(,)? }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        pub enum $name { $($(#[$vmeta])* $variant = $code),+ }

        impl $name {
            /// Every variant, in the order of the declaration.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The number stored in the project file.
            pub const fn code(self) -> u8 { self as u8 }

            /// The variant of a stored number, if there is one.
            pub const fn from_code(code: u8) -> Option<Self> {
                match code { $($code => Some(Self::$variant),)+ _ => None }
            }

            /// The word shown to people and returned by the documented views.
            pub const fn word(self) -> &'static str {
                match self { $(Self::$variant => $word),+ }
            }

            /// The variant of a shown word, if there is one.
            pub fn from_word(word: &str) -> Option<Self> {
                match word { $($word => Some(Self::$variant),)+ _ => None }
            }

            /// An SQL expression that turns the stored number in `column` into the word.
            pub fn sql_case(column: &str) -> String {
                let mut sql = format!("CASE {column}");
                $( sql.push_str(concat!(" WHEN ", $code, " THEN '", $word, "'")); )+
                sql.push_str(" END");
                sql
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result { f.write_str(self.word()) }
        }
    };
}
