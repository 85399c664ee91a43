/** Encodings that are guessed from the bytes alone; all of them are names that TextDecoder knows. */
export type LegacyEncoding = "shift_jis" | "euc-jp" | "gbk" | "big5" | "euc-kr" | "windows-1252";

interface DoubleByte {
  readonly name: LegacyEncoding;
  isLead(byte: number): boolean;
  isTrail(byte: number): boolean;
  /** A pair that everyday text of this encoding is made of. */
  isCommon(lead: number, trail: number): boolean;
  /** A pair that tells this encoding from its neighbours. */
  isTelling(lead: number, trail: number): boolean;
  /** Bytes that are a character alone. */
  isSingle?(byte: number): boolean;
  /** The least share of telling pairs. */
  readonly telling: number;
}

const within = (byte: number, low: number, high: number): boolean => byte >= low && byte <= high;

// In this order: an earlier one has the stronger proof.
const CANDIDATES: readonly DoubleByte[] = [
  {
    name: "euc-jp",
    isLead: (b) => within(b, 0xa1, 0xfe) || b === 0x8e,
    isTrail: (b) => within(b, 0xa1, 0xfe),
    isCommon: (lead) => within(lead, 0xa1, 0xa5) || within(lead, 0xb0, 0xf4),
    isTelling: (lead) => lead === 0xa4 || lead === 0xa5,
    telling: 0.15,
  },
  {
    name: "shift_jis",
    isLead: (b) => within(b, 0x81, 0x9f) || within(b, 0xe0, 0xfc),
    isTrail: (b) => within(b, 0x40, 0x7e) || within(b, 0x80, 0xfc),
    isCommon: (lead) => within(lead, 0x81, 0x83) || within(lead, 0x88, 0x9f),
    isTelling: (lead, trail) =>
      (lead === 0x82 && within(trail, 0x9f, 0xf1)) || (lead === 0x83 && within(trail, 0x40, 0x96)),
    isSingle: (b) => within(b, 0xa1, 0xdf),
    telling: 0.15,
  },
  {
    name: "euc-kr",
    isLead: (b) => within(b, 0xa1, 0xfe),
    isTrail: (b) => within(b, 0xa1, 0xfe),
    isCommon: (lead) => within(lead, 0xb0, 0xc8) || within(lead, 0xa1, 0xa3),
    isTelling: (lead) => within(lead, 0xb0, 0xc8),
    telling: 0.9,
  },
  {
    name: "gbk",
    isLead: (b) => within(b, 0x81, 0xfe),
    isTrail: (b) => within(b, 0x40, 0x7e) || within(b, 0x80, 0xfe),
    isCommon: (lead, trail) => trail >= 0xa1 && (within(lead, 0xb0, 0xd7) || within(lead, 0xa1, 0xa3)),
    isTelling: (lead, trail) => trail >= 0xa1 && within(lead, 0xb0, 0xd7),
    telling: 0.6,
  },
  {
    name: "big5",
    isLead: (b) => within(b, 0x81, 0xfe),
    isTrail: (b) => within(b, 0x40, 0x7e) || within(b, 0xa1, 0xfe),
    isCommon: (lead) => within(lead, 0xa1, 0xc6),
    isTelling: (lead) => within(lead, 0xa4, 0xc6),
    telling: 0.7,
  },
];

const SAMPLE_BYTES = 256 * 1024;

/**
 * The encoding of bytes that are not Unicode. Never fails: what looks like no East Asian
 * encoding is `windows-1252`, where every byte is some character.
 */
export function guessEncoding(bytes: Uint8Array): LegacyEncoding {
  const sample = bytes.subarray(0, SAMPLE_BYTES);
  const fitting = CANDIDATES.find((candidate) => fits(candidate, sample, sample.length < bytes.length));
  return fitting?.name ?? "windows-1252";
}

function fits(candidate: DoubleByte, bytes: Uint8Array, isCut: boolean): boolean {
  let pairs = 0;
  let common = 0;
  let telling = 0;
  let neighbours = 0;
  let lastEnd = -1;
  for (let i = 0; i < bytes.length; ) {
    const lead = bytes[i] ?? 0;
    if (lead < 0x80 || candidate.isSingle?.(lead) === true) {
      i += 1;
      continue;
    }
    if (!candidate.isLead(lead)) return false;
    if (i + 1 >= bytes.length) {
      if (!isCut) return false;
      break;
    }
    const trail = bytes[i + 1] ?? 0;
    if (!candidate.isTrail(trail)) return false;
    pairs += 1;
    if (candidate.isCommon(lead, trail)) common += 1;
    if (candidate.isTelling(lead, trail)) telling += 1;
    if (lastEnd === i) neighbours += 1;
    i += 2;
    lastEnd = i;
  }
  // Lone pairs are accented letters or signs beside ASCII; East Asian words have several characters.
  return (
    pairs > 0 && neighbours * 3 >= pairs && common >= pairs * 0.8 && telling >= pairs * candidate.telling
  );
}
