import type { ReactNode } from 'react';

const WITH_A_DASH = /([A-Z]+[–-][A-Z]+|\d+–\d+)/;

/** The text, with codes (PHARMA-PIL, TIJ–CGO) and ranges (20–25) that no line breaks in. */
export function whole(text: string): ReactNode {
  return text.split(WITH_A_DASH).map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      <span key={index} className="whole">
        {part}
      </span>
    ),
  );
}
