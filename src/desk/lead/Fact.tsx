import type { ReactNode } from 'react';
import { englishWords, mainWords, type Bilingual as Text } from '../../content/bilingual.ts';

interface FactProps {
  readonly label: Text;
  /** The value is in our words, not in the exporter's. */
  readonly own?: boolean;
  readonly children: ReactNode;
}

/** Fact of a request, in a box of its own. */
export function Fact({ label, own = false, children }: FactProps) {
  return (
    <div>
      <dt className="label" title={englishWords(label)}>
        {mainWords(label)}
      </dt>
      <dd translate={own ? undefined : 'no'} dir={own ? undefined : 'auto'}>
        {children}
      </dd>
    </div>
  );
}
