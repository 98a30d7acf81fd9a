import type { ReactNode } from 'react';
import type { Bilingual as Text } from '../content/bilingual.ts';
import { Inline } from '../ui/Inline.tsx';

interface FactProps {
  readonly label: Text;
  /** Our own words, and not the exporter's. */
  readonly own?: boolean;
  readonly children: ReactNode;
}

/** One box of a quote: its name, and what it says. */
export function Fact({ label, own = false, children }: FactProps) {
  return (
    <div>
      <dt className="label">
        <Inline text={label} />
      </dt>
      <dd translate={own ? undefined : 'no'} dir={own ? undefined : 'auto'}>
        {children}
      </dd>
    </div>
  );
}
