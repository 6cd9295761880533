// Width divided by height, as one byte on a logarithmic scale.

const UNKNOWN = 149 // 3:2, until the photo has been processed
const MIDDLE = 128
const STEPS = 36

/** What the bytes 0 to 255 mean; very long and very narrow ones are shown less so. */
export const RATIOS = Float32Array.from({ length: 256 }, (_, byte) =>
  Math.min(4, Math.max(0.4, 2 ** (((byte === 0 ? UNKNOWN : byte) - MIDDLE) / STEPS))),
)

export function ratioByte(width: number | null | undefined, height: number | null | undefined): number {
  if (!width || !height) return 0
  return Math.min(255, Math.max(1, Math.round(MIDDLE + STEPS * Math.log2(width / height))))
}
