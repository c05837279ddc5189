//! Variable-length integers: seven bits per byte, the lowest first (LEB128), signed ones in zigzag code.

/// Appends an unsigned number.
pub fn put(out: &mut Vec<u8>, mut value: u64) {
    while value > 127 {
        out.push(value as u8 | 128);
        value >>= 7;
    }
    out.push(value as u8);
}

/// Appends a signed number.
pub fn put_signed(out: &mut Vec<u8>, value: i64) {
    put(out, (value << 1 ^ value >> 63) as u64);
}

/// Takes an unsigned number off the front; `None` if the bytes end within it or it is too long.
pub fn take(bytes: &mut &[u8]) -> Option<u64> {
    let mut value = 0u64;
    for shift in (0..63).step_by(7) {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        value |= u64::from(byte & 127) << shift;
        if byte < 128 {
            return Some(value);
        }
    }
    None
}

/// Takes a signed number off the front.
pub fn take_signed(bytes: &mut &[u8]) -> Option<i64> {
    let value = take(bytes)?;
    Some((value >> 1) as i64 ^ -((value & 1) as i64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_back() {
        let mut bytes = Vec::new();
        let numbers = [0, 1, -1, 63, 64, -65, 300, -32000, 1 << 40];
        for &number in &numbers {
            put_signed(&mut bytes, number);
        }
        let mut rest = &bytes[..];
        for &number in &numbers {
            assert_eq!(take_signed(&mut rest), Some(number));
        }
        assert!(rest.is_empty());
        assert_eq!(take(&mut &[255u8; 20][..]), None);
        assert_eq!(take(&mut &[128u8][..]), None);
    }
}
