//! YuNet, the detector: six stages that halve the picture again and again, of which the last three
//! are looked at together, and for every cell of their grids a guess of the face around it.

use super::depthwise::Depthwise;
use super::pointwise::Pointwise;
use super::{Slope, Unusable, Weights};

/// What cells of the three grids are wide, in pixels.
const CELLS: [usize; 3] = [8, 16, 32];
/// Sides of the input are multiples of this.
const WHOLE: usize = 32;
/// Red, green and blue of three by three pixels.
const PATCH: usize = 27;
/// What the heads say of a cell: class, presence, four of the box, ten of the landmarks.
const SAID: usize = 16;

pub(crate) struct YuNet {
    first: Pointwise,
    stages: Vec<Vec<Separable>>,
    necks: [Separable; 3],
    heads: [Separable; 3],
}

/// A guess, in pixels of the input.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Candidate {
    pub(crate) score: f32,
    pub(crate) left: f32,
    pub(crate) top: f32,
    pub(crate) width: f32,
    pub(crate) height: f32,
    pub(crate) landmarks: [(f32, f32); 5],
}

/// A picture of channels in the middle of the network.
struct Map {
    width: usize,
    height: usize,
    data: Vec<f32>,
}

/// A pointwise layer, then a depthwise one, row by row.
struct Separable {
    mix: Pointwise,
    filter: Depthwise,
}

impl YuNet {
    pub(crate) fn new(weights: &Weights<'_>) -> Result<Self, Unusable> {
        let unit = |path: &str, inputs, outputs, filter: u32| {
            separable(weights, &format!("{path}.conv1"), &filter.to_string(), (inputs, outputs))
        };
        let stages = vec![
            vec![unit("backbone.model0.conv2", 16, 16, 423)?],
            vec![
                unit("backbone.model1.conv1", 16, 16, 426)?,
                unit("backbone.model1.conv2", 16, 32, 429)?,
                unit("backbone.model2.conv1", 32, 32, 432)?,
                unit("backbone.model2.conv2", 32, 64, 435)?,
            ],
            vec![
                unit("backbone.model3.conv1", 64, 64, 438)?,
                unit("backbone.model3.conv2", 64, 64, 441)?,
            ],
            vec![
                unit("backbone.model4.conv1", 64, 64, 444)?,
                unit("backbone.model4.conv2", 64, 64, 447)?,
            ],
            vec![
                unit("backbone.model5.conv1", 64, 64, 450)?,
                unit("backbone.model5.conv2", 64, 64, 453)?,
            ],
        ];
        let necks = [
            unit("neck.lateral_convs.0", 64, 64, 462)?,
            unit("neck.lateral_convs.1", 64, 64, 459)?,
            unit("neck.lateral_convs.2", 64, 64, 456)?,
        ];
        let heads = [head(weights, 0)?, head(weights, 1)?, head(weights, 2)?];
        Ok(Self { first: first(weights)?, stages, necks, heads })
    }

    /// All guesses of at least this score in a picture of red, green and blue bytes. What is
    /// missing to whole cells is taken as black.
    pub(crate) fn look(
        &self,
        rgb: &[u8],
        width: usize,
        height: usize,
        least: f32,
    ) -> Vec<Candidate> {
        let mut buffer = Vec::new();
        let mut map = self.begin(rgb, width, height, &mut buffer);
        let mut kept = Vec::new();
        for (number, stage) in self.stages.iter().enumerate() {
            if number > 0 {
                map = map.halved();
            }
            for unit in stage {
                map = unit.apply(&map, &mut buffer);
            }
            if number >= 2 {
                kept.push(Map { width: map.width, height: map.height, data: map.data.clone() });
            }
        }
        let mut found = Vec::new();
        let mut coarser: Option<Map> = None;
        let levels = self.necks.iter().zip(&self.heads).zip(CELLS).rev();
        for ((neck, head), cell) in levels {
            let Some(mut level) = kept.pop() else { break };
            if let Some(coarser) = &coarser {
                level.add_doubled(coarser);
            }
            let level = neck.apply(&level, &mut buffer);
            head.apply(&level, &mut buffer).collect(cell, least, &mut found);
            coarser = Some(level);
        }
        found
    }

    /// The first layer looks at every second pixel with its neighbours.
    fn begin(&self, rgb: &[u8], width: usize, height: usize, buffer: &mut Vec<f32>) -> Map {
        let (wide, high) = (width.next_multiple_of(WHOLE) / 2, height.next_multiple_of(WHOLE) / 2);
        let mut map = Map::new(wide, high, self.first.outputs());
        let row = wide * self.first.outputs();
        let mut patches = vec![0.0; wide * PATCH];
        for (y, to) in map.data.chunks_exact_mut(row).enumerate() {
            fill_patches(rgb, width, 2 * y, &mut patches);
            self.first.apply(&patches, to, buffer);
        }
        map
    }
}

/// For every second pixel of this row, three by three pixels around it.
fn fill_patches(rgb: &[u8], width: usize, y: usize, patches: &mut [f32]) {
    for down in 0..3 {
        let row = (y + down).checked_sub(1).and_then(|y| rgb.chunks_exact(width * 3).nth(y));
        let row = row.unwrap_or(&[]);
        for (x, patch) in patches.chunks_exact_mut(PATCH).enumerate() {
            // A part of a patch is three pixels of nine bytes, which begin one pixel to the left.
            let start = (x * 6).checked_sub(3);
            let to = patch.iter_mut().skip(down * 9).take(9);
            match start.and_then(|start| row.get(start..start + 9)) {
                Some(bytes) => to.zip(bytes).for_each(|(to, byte)| *to = f32::from(*byte)),
                None => to.enumerate().for_each(|(place, to)| {
                    let byte = (x * 6 + place).checked_sub(3).and_then(|place| row.get(place));
                    *to = byte.copied().map_or(0.0, f32::from);
                }),
            }
        }
    }
}

impl Separable {
    fn apply(&self, from: &Map, buffer: &mut Vec<f32>) -> Map {
        let mut to = Map::new(from.width, from.height, self.mix.outputs());
        let channels = from.data.len().checked_div(from.width * from.height).unwrap_or(0);
        let row = from.width * channels;
        let source = |y: usize, to: &mut [f32]| {
            if let Some(from) = from.data.get(y * row..(y + 1) * row) {
                self.mix.apply(from, to, buffer);
            }
        };
        self.filter.apply(from.width, from.height, source, &mut to.data);
        to
    }
}

impl Map {
    fn new(width: usize, height: usize, channels: usize) -> Self {
        Self { width, height, data: vec![0.0; width * height * channels] }
    }

    fn channels(&self) -> usize {
        self.data.len().checked_div(self.width * self.height).unwrap_or(0)
    }

    /// The largest of each two by two.
    fn halved(&self) -> Self {
        let channels = self.channels();
        let mut half = Self::new(self.width / 2, self.height / 2, channels);
        let row = self.width * channels;
        let pairs = self.data.chunks_exact(2 * row);
        for (to, two) in half.data.chunks_exact_mut(row / 2).zip(pairs) {
            let (upper, lower) = two.split_at(row);
            let squares = upper.chunks_exact(2 * channels).zip(lower.chunks_exact(2 * channels));
            for (to, (upper, lower)) in to.chunks_exact_mut(channels).zip(squares) {
                let (a, b) = upper.split_at(channels);
                let (c, d) = lower.split_at(channels);
                for ((to, (a, b)), (c, d)) in
                    to.iter_mut().zip(a.iter().zip(b)).zip(c.iter().zip(d))
                {
                    *to = a.max(*b).max(c.max(*d));
                }
            }
        }
        half
    }

    /// Adds one of half the size, each of its pixels to four.
    fn add_doubled(&mut self, half: &Self) {
        let channels = self.channels();
        let row = self.width * channels;
        let halves = half.data.chunks_exact((half.width * channels).max(1));
        for (two, half) in self.data.chunks_exact_mut((2 * row).max(1)).zip(halves) {
            for row in two.chunks_exact_mut(row) {
                let pixels = row.chunks_exact_mut(2 * channels).zip(half.chunks_exact(channels));
                for (two, half) in pixels {
                    for pixel in two.chunks_exact_mut(channels) {
                        pixel.iter_mut().zip(half).for_each(|(to, from)| *to += from);
                    }
                }
            }
        }
    }

    /// Reads what the heads have said of each cell.
    fn collect(&self, cell: usize, least: f32, found: &mut Vec<Candidate>) {
        let (cells, _) = self.data.as_chunks::<SAID>();
        for (place, said) in cells.iter().enumerate() {
            let (x, y) = ((place % self.width) as f32, (place / self.width) as f32);
            let guess = candidate(said, x, y, cell as f32);
            if guess.score >= least {
                found.push(guess);
            }
        }
    }
}

fn candidate(said: &[f32; SAID], x: f32, y: f32, cell: f32) -> Candidate {
    let [class, presence, right, down, wide, high, points @ ..] = *said;
    let (width, height) = (wide.min(12.0).exp() * cell, high.min(12.0).exp() * cell);
    let mut landmarks = [(0.0, 0.0); 5];
    for (landmark, point) in landmarks.iter_mut().zip(points.as_chunks::<2>().0) {
        let [right, down] = *point;
        *landmark = ((x + right) * cell, (y + down) * cell);
    }
    Candidate {
        score: (sigmoid(class) * sigmoid(presence)).sqrt(),
        left: (x + right) * cell - width / 2.0,
        top: (y + down) * cell - height / 2.0,
        width,
        height,
        landmarks,
    }
}

fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

/// The first layer. The network wants blue first and we have red first, and its weights come
/// colour by colour.
fn first(weights: &Weights<'_>) -> Result<Pointwise, Unusable> {
    let stored = weights.floats("420", 16 * PATCH)?;
    let mut wanted = Vec::with_capacity(stored.len());
    for of_output in stored.chunks_exact(PATCH) {
        for place in 0..9 {
            let colours = of_output.iter().skip(place).step_by(9);
            wanted.extend(colours.rev().copied());
        }
    }
    Pointwise::new(&wanted, weights.floats("421", 16)?, Slope::Cut)
}

fn separable(
    weights: &Weights<'_>,
    mix: &str,
    filter: &str,
    (inputs, outputs): (usize, usize),
) -> Result<Separable, Unusable> {
    let mixing = weights.floats(&format!("{mix}.weight"), inputs * outputs)?;
    let mixing_bias = weights.floats(&format!("{mix}.bias"), outputs)?;
    let filtering = weights.floats(filter, outputs * 9)?;
    // The bias of a layer is the constant after its weights.
    let bias = filter.parse::<u32>().map_err(|error| error.to_string())? + 1;
    let filter_bias = weights.floats(&bias.to_string(), outputs)?;
    Ok(Separable {
        mix: Pointwise::new(&mixing, mixing_bias, Slope::Keep)?,
        filter: Depthwise::new(&filtering, filter_bias, Slope::Cut, 1)?,
    })
}

/// All four heads of a level as one: their outputs are exactly [`SAID`].
fn head(weights: &Weights<'_>, level: u32) -> Result<Separable, Unusable> {
    let (mut mixing, mut mixing_bias) = (Vec::new(), Vec::new());
    let (mut filtering, mut filter_bias) = (Vec::new(), Vec::new());
    for (name, outputs) in [("cls", 1), ("obj", 1), ("bbox", 4), ("kps", 10)] {
        let path = format!("bbox_head.multi_level_{name}.{level}");
        mixing.extend(weights.floats(&format!("{path}.conv1.weight"), outputs * 64)?);
        mixing_bias.extend(weights.floats(&format!("{path}.conv1.bias"), outputs)?);
        filtering.extend(weights.floats(&format!("{path}.conv2.weight"), outputs * 9)?);
        filter_bias.extend(weights.floats(&format!("{path}.conv2.bias"), outputs)?);
    }
    Ok(Separable {
        mix: Pointwise::new(&mixing, mixing_bias, Slope::Keep)?,
        filter: Depthwise::new(&filtering, filter_bias, Slope::Keep, 1)?,
    })
}
