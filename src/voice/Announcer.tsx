import { useEffect, useState } from 'react';
import { englishWords, mainWords, type Bilingual } from '../content/bilingual.ts';
import { Inline } from '../ui/Inline.tsx';

const PAUSE = 500;

/** Tells screen readers about a state that has lasted half a second; shorter states are not announced. */
export function Announcer({ text }: { readonly text: Bilingual | undefined }) {
  const [announced, setAnnounced] = useState<Bilingual>();
  const es = text && mainWords(text);
  const en = text && englishWords(text);
  useEffect(() => {
    const timer = setTimeout(() => setAnnounced(es && en ? { es, en } : undefined), PAUSE);
    return () => clearTimeout(timer);
  }, [es, en]);
  return (
    <div className="hidden" role="status">
      {announced && <Inline text={announced} />}
    </div>
  );
}
