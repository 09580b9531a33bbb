//! Servers that mean no good, and servers that are merely broken: each row of the table "HTTP" of the list of inputs that
//! break crawlers has its right outcome, and many of them at once do not take the computer's memory.
//!
//! Where a row is shown:
//!
//! | row | here (the `gossamer` program) | in `crates/fetch/tests/fetch` |
//! |---|---|---|
//! | HEAD refused | `rows::a_refused_head_is_decided_by_get` | `head` |
//! | redirect to itself with Set-Cookie | `rows::redirects_are_what_they_say` | `cookies` |
//! | 3xx without Location | `rows::redirects_are_what_they_say` | – |
//! | Location relative, with spaces, with UTF-8 | `rows::redirects_are_what_they_say` | `bodies::odd_headers_are_kept` |
//! | 304 | `rows::statuses_mean_what_they_say` | `feeds::validators_go_back_byte_for_byte` and its neighbours |
//! | Retry-After | `rows::a_busy_server_is_left_alone_for_a_while` | `pace` |
//! | 1xx, 204, 205, 206, 226 | `rows::statuses_mean_what_they_say` | `bodies`, `http::statuses_mean_what_the_specification_says` |
//! | content codings, bombs | `rows::codings_are_undone`, `memory` | `bodies`, and beside the decoders |
//! | wrong lengths, broken chunks | `rows::what_came_of_a_broken_body_is_kept` | `bodies::broken_bodies_keep_what_came` |
//! | slow drip | `memory` | `failures::bytes_that_drip_do_not_move_the_limit` |
//! | headers: huge, invalid, twice | `rows::headers_are_bounded_and_all_kept`, `memory` | `failures`, `bodies::odd_headers_are_kept` |
//! | HTTP/2 GOAWAY, REFUSED_STREAM | – | `tls::http2_is_spoken_and_a_refused_stream_is_tried_again`, `http::http2_that_goes_away_is_asked_again` |
//! | HTTP/0.9, no HTTP | `rows::what_is_no_http_is_told_so` | `failures::what_is_no_http_is_a_protocol_failure` |
//! | TLS | – | `tls` |
//! | HSTS | – | `hsts` |
//! | IPv4, IPv6, several addresses | – | `failures::a_dead_first_address_does_not_hide_the_second` |
//! | credentials in the URL | – | `auth` |
//! | private addresses in a job of public ones | `policies` | `guard` |

#[path = "hostile/memory.rs"]
mod memory;
#[path = "hostile/packed.rs"]
mod packed;
#[path = "hostile/rows.rs"]
mod rows;
#[path = "hostile/wild.rs"]
mod wild;
