//! The pictures of the demo site: drawn as SVG from their names, always alike.

use std::fmt::Write as _;

/// Every picture: name, what it shows, the hue of its colours in degrees.
const PICTURES: &[(&str, Motif, u16)] = &[
    ("amira", Motif::Person, 190),
    ("assam", Motif::Leaves, 20),
    ("darjeeling", Motif::Leaves, 75),
    ("evening", Motif::Harbour, 265),
    ("frisian", Motif::Cup, 25),
    ("gift", Motif::Cup, 340),
    ("harbour", Motif::Harbour, 205),
    ("harbour-panorama", Motif::Panorama, 210),
    ("henrik", Motif::Person, 30),
    ("jasmine", Motif::Leaves, 130),
    ("kettle", Motif::Cup, 0),
    ("leaf", Motif::Leaf, 105),
    ("lena", Motif::Person, 330),
    ("matcha", Motif::Cup, 95),
    ("oolong", Motif::Leaves, 45),
    ("sencha", Motif::Leaves, 110),
    ("thermometer", Motif::Cup, 200),
];

#[derive(Debug, Clone, Copy)]
enum Motif {
    Leaf,
    Leaves,
    Cup,
    Person,
    Harbour,
    /// So many waves that the file is far over 100 KB: the heavy image of the site.
    Panorama,
}

/// The picture of that name, as SVG.
pub(super) fn picture(name: &str) -> Option<String> {
    let (_, motif, hue) = PICTURES.iter().find(|(known, ..)| *known == name)?;
    let mut svg = String::from("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 640 360\">\n");
    // Writing to a String cannot fail, here and below.
    let _ = writeln!(svg, "<rect width=\"640\" height=\"360\" fill=\"hsl({hue} 35% 90%)\"/>");
    match motif {
        Motif::Leaf => leaf(&mut svg, 320, 180, 4, 0, *hue),
        Motif::Leaves => {
            for number in 0..40 {
                let (x, y) = (40 + number * 97 % 560, 60 + number * 61 % 250);
                leaf(&mut svg, x, y, 1, number * 47 % 360, *hue + (number % 5) as u16 * 6);
            }
        }
        Motif::Cup => {
            let _ = writeln!(
                svg,
                "<path d=\"M210 140h220c0 110-40 150-110 150s-110-40-110-150z\" fill=\"hsl({hue} 30% 45%)\"/>\n\
                 <ellipse cx=\"320\" cy=\"140\" rx=\"110\" ry=\"22\" fill=\"hsl({hue} 45% 30%)\"/>\n\
                 <path d=\"M430 165c60-10 60 70-14 72\" fill=\"none\" stroke=\"hsl({hue} 30% 45%)\" stroke-width=\"14\"/>\n\
                 <path d=\"M290 105c-14-24 14-30 0-56M340 105c-14-24 14-30 0-56\" fill=\"none\" stroke=\"#fff\" stroke-width=\"8\"/>"
            );
        }
        Motif::Person => {
            let _ = writeln!(
                svg,
                "<circle cx=\"320\" cy=\"140\" r=\"64\" fill=\"hsl({hue} 40% 70%)\"/>\n\
                 <path d=\"M190 360c0-110 60-140 130-140s130 30 130 140z\" fill=\"hsl({hue} 35% 40%)\"/>"
            );
        }
        Motif::Harbour => {
            waves(&mut svg, 6, 40, *hue);
            let _ = writeln!(
                svg,
                "<path d=\"M120 230h220l-30 50H150z\" fill=\"hsl({hue} 30% 25%)\"/>\n\
                 <path d=\"M225 70v160M225 80l90 130h-90z\" fill=\"hsl({hue} 20% 96%)\" stroke=\"hsl({hue} 30% 25%)\" stroke-width=\"5\"/>"
            );
        }
        Motif::Panorama => waves(&mut svg, 60, 60, *hue),
    }
    svg.push_str("</svg>\n");
    Some(svg)
}

fn leaf(svg: &mut String, x: u32, y: u32, size: u32, turn: u32, hue: u16) {
    let _ = writeln!(
        svg,
        "<g transform=\"translate({x} {y}) rotate({turn}) scale({size})\"><path d=\"M-32 0C-14-26 18-26 34 0 18 26-14 26-32 0z\" \
         fill=\"hsl({hue} 40% 35%)\"/><path d=\"M-40 0H34\" stroke=\"hsl({hue} 40% 22%)\" stroke-width=\"2\"/></g>"
    );
}

/// Rows of small arcs, from the horizon to the lower edge.
fn waves(svg: &mut String, rows: u32, arcs: u32, hue: u16) {
    for row in 0..rows {
        let y = 200 + row * 160 / rows;
        for arc in 0..arcs {
            let (x, width) = (arc * 640 / arcs, 640 / arcs);
            let _ = writeln!(
                svg,
                "<path d=\"M{x} {y}q{} -6 {width} 0\" fill=\"none\" stroke=\"hsl({hue} 45% {}%)\"/>",
                width / 2,
                35 + row * 40 / rows
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_picture_is_heavy_and_no_other() {
        for (name, ..) in PICTURES {
            let svg = picture(name).unwrap_or_default();
            assert!(svg.ends_with("</svg>\n"), "{name}");
            // The threshold of the audit of heavy images is 102,400 bytes.
            assert_eq!(svg.len() > 102_400, *name == "harbour-panorama", "{name} has {} bytes", svg.len());
        }
        assert_eq!(picture("team"), None);
    }
}
