import { generate } from 'lean-qr/nano';
import { bothWords, type Bilingual } from '../content/bilingual.ts';
import styles from './QrCode.module.css';

/** Width of the empty border that the standard requires, counted in squares of the code. */
const QUIET_ZONE = 4;

/** QR code, always dark on light, because many cameras cannot read light on dark. */
export function QrCode({ text, label }: { readonly text: string; readonly label: Bilingual }) {
  const code = generate(text);
  const size = code.size + 2 * QUIET_ZONE;
  let dark = '';
  for (let y = 0; y < code.size; y += 1)
    for (let x = 0; x < code.size; x += 1) if (code.get(x, y)) dark += `M${x + QUIET_ZONE} ${y + QUIET_ZONE}h1v1h-1z`;
  return (
    <svg className={styles['code']} viewBox={`0 0 ${size} ${size}`} role="img" aria-label={bothWords(label)}>
      <rect width={size} height={size} fill="#fff" />
      <path d={dark} fill="#000" shapeRendering="crispEdges" />
    </svg>
  );
}
