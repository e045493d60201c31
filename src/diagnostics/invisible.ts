/**
 * Characters that a reader cannot see, or that turn the direction of writing: controls but tab and line ends, soft hyphen,
 * bidirectional controls, zero-width characters, line and paragraph separators, Hangul fillers, tags, halves of pairs.
 * Variation selectors are left alone, since emoji carry them.
 */
export const invisible =
  /[\0-\x08\v\f\x0E-\x1F\x7F-\x9F\xAD\u034F\u061C\u115F\u1160\u17B4\u17B5\u180E\u200B-\u200F\u2028-\u202E\u2060-\u206F\u3164\uFEFF\uFFA0]|[\u{E0000}-\u{E007F}]|[\uD800-\uDFFF]/u;
