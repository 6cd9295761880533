//! Numbers that look random: in a sequence, or by place.

/// SplitMix64.
#[derive(Clone, Debug)]
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Self {
        Self(mix(seed ^ 0x5851_F42D_4C95_7F2D))
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        mix(self.0)
    }

    /// From 0 to 1.
    pub fn unit(&mut self) -> f32 {
        unit(self.next())
    }

    pub fn between(&mut self, from: f32, to: f32) -> f32 {
        from + (to - from) * self.unit()
    }

    /// From -1 to 1, most often near 0.
    pub fn bell(&mut self) -> f32 {
        bell(self.next())
    }
}

/// From 0 to 1, by the place in a grid.
pub fn at(seed: u64, x: i64, y: i64) -> f32 {
    let place = (x as u64).wrapping_mul(0xD6E8_FEB8_6659_FD93)
        ^ (y as u64).wrapping_mul(0xA24B_AED4_963E_E407);
    unit(mix(seed ^ place))
}

/// The sum of four even distributions, from -1 to 1: close enough to a normal one.
pub fn bell(random: u64) -> f32 {
    let part = |shift: u32| ((random >> shift) & 0xFFFF) as f32;
    (part(0) + part(16) + part(32) + part(48)) * (0.5 / 65_535.0) - 1.0
}

fn unit(random: u64) -> f32 {
    (random >> 40) as f32 * (1.0 / 16_777_216.0)
}

fn mix(value: u64) -> u64 {
    let value = (value ^ (value >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let value = (value ^ (value >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    value ^ (value >> 31)
}
