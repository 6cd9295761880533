//! Reading the weights out of an ONNX file: a protocol buffer, of which only the graph's constants
//! are of interest. Constants that are stored as blocks of bytes with a scale are multiplied out.

use std::collections::HashMap;

use super::Unusable;

/// All constants of a file, by name.
pub(crate) struct Weights<'a>(HashMap<&'a str, Tensor<'a>>);

/// A constant that is stored as bytes: each stands for `(byte - zero) * scale`, with one scale and
/// zero for every `block` bytes.
pub(crate) struct Blocks {
    pub(crate) bytes: Vec<i8>,
    pub(crate) scales: Vec<f32>,
    pub(crate) zeros: Vec<i8>,
    pub(crate) block: usize,
}

#[derive(Default)]
struct Tensor<'a> {
    name: &'a str,
    kind: u64,
    raw: &'a [u8],
    floats: &'a [u8],
}

const GRAPH: u64 = 7;
const CONSTANT: u64 = 5;
const KIND_F32: u64 = 1;
const KIND_I8: u64 = 3;

impl<'a> Weights<'a> {
    pub(crate) fn parse(file: &'a [u8]) -> Result<Self, Unusable> {
        let mut all = HashMap::new();
        for graph in Fields(file).filter(|field| field.number == GRAPH) {
            for constant in Fields(graph.bytes).filter(|field| field.number == CONSTANT) {
                let tensor = Tensor::parse(constant.bytes)?;
                all.insert(tensor.name, tensor);
            }
        }
        Ok(Self(all))
    }

    /// A constant of exactly this many numbers, however it is stored.
    pub(crate) fn floats(&self, name: &str, count: usize) -> Result<Vec<f32>, Unusable> {
        let found = match self.0.get(name) {
            Some(tensor) => tensor.as_floats()?,
            None => self.blocks(name)?.multiplied_out(),
        };
        if found.len() == count {
            return Ok(found);
        }
        Err(format!("{name} has {} numbers instead of {count}", found.len()))
    }

    /// A constant that is stored as bytes.
    pub(crate) fn blocks(&self, name: &str) -> Result<Blocks, Unusable> {
        let bytes = self.part(name, "quantized")?.as_bytes()?;
        let scales = self.part(name, "scales")?.as_floats()?;
        let zeros = self.part(name, "zero_point")?.as_bytes()?;
        let block = bytes.len().checked_div(scales.len()).unwrap_or(0);
        if block == 0 || block * scales.len() != bytes.len() || zeros.len() != scales.len() {
            return Err(format!("the blocks of {name} do not fit together"));
        }
        Ok(Blocks { bytes, scales, zeros, block })
    }

    fn part(&self, name: &str, part: &str) -> Result<&Tensor<'a>, Unusable> {
        let name = format!("{name}_{part}");
        self.0.get(name.as_str()).ok_or_else(|| format!("there is no {name}"))
    }
}

impl Blocks {
    fn multiplied_out(&self) -> Vec<f32> {
        let scaled = self.scales.iter().zip(&self.zeros);
        self.bytes
            .chunks_exact(self.block)
            .zip(scaled)
            .flat_map(|(bytes, (scale, zero))| {
                bytes.iter().map(move |byte| (i16::from(*byte) - i16::from(*zero)) as f32 * scale)
            })
            .collect()
    }
}

impl<'a> Tensor<'a> {
    fn parse(bytes: &'a [u8]) -> Result<Self, Unusable> {
        let mut tensor = Self::default();
        for field in Fields(bytes) {
            match field.number {
                2 => tensor.kind = field.value,
                4 => tensor.floats = field.bytes,
                8 => {
                    tensor.name = str::from_utf8(field.bytes).map_err(|error| error.to_string())?;
                }
                9 => tensor.raw = field.bytes,
                _ => {}
            }
        }
        Ok(tensor)
    }

    fn as_floats(&self) -> Result<Vec<f32>, Unusable> {
        if self.kind != KIND_F32 {
            return Err(format!("{} is not of f32", self.name));
        }
        let bytes = if self.raw.is_empty() { self.floats } else { self.raw };
        let (numbers, _) = bytes.as_chunks::<4>();
        Ok(numbers.iter().map(|number| f32::from_le_bytes(*number)).collect())
    }

    fn as_bytes(&self) -> Result<Vec<i8>, Unusable> {
        if self.kind != KIND_I8 {
            return Err(format!("{} is not of i8", self.name));
        }
        Ok(self.raw.iter().map(|byte| byte.cast_signed()).collect())
    }
}

/// The fields of a message, as far as they can be read.
struct Fields<'a>(&'a [u8]);

struct Field<'a> {
    number: u64,
    /// Of a number.
    value: u64,
    /// Of anything else.
    bytes: &'a [u8],
}

impl<'a> Iterator for Fields<'a> {
    type Item = Field<'a>;

    fn next(&mut self) -> Option<Field<'a>> {
        let key = self.varint()?;
        let mut field = Field { number: key >> 3, value: 0, bytes: &[] };
        match key & 7 {
            0 => field.value = self.varint()?,
            1 => field.bytes = self.take(8)?,
            2 => {
                let length = self.varint()?;
                field.bytes = self.take(usize::try_from(length).ok()?)?;
            }
            5 => field.bytes = self.take(4)?,
            _ => return None,
        }
        Some(field)
    }
}

impl<'a> Fields<'a> {
    fn varint(&mut self) -> Option<u64> {
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let byte = *self.take(1)?.first()?;
            value |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Some(value);
            }
        }
        None
    }

    fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }
}
