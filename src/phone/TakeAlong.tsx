import { useEffect, useState } from 'react';
import { links as words } from '../content/links.ts';
import { copy } from '../notices/copy.ts';
import { ButtonWords } from '../ui/ButtonWords.tsx';
import { Inline } from '../ui/Inline.tsx';
import { canLink, linkOf } from './link-of.ts';
import { useEntries } from './use-entries.ts';

/** Most quotes whose links are copied; the newest are taken. */
const MOST = 20;

/**
 * Button that copies the links of sent quotes. An app installed on an iPhone has its own storage, so the visitor pastes
 * the links there.
 */
export function TakeAlong() {
  const sent = useEntries()
    .filter(({ quote, state }) => quote && state.kind === 'delivered')
    .toSorted((a, b) => b.createdAt - a.createdAt)
    .slice(0, MOST);
  const [links, setLinks] = useState<readonly string[]>([]);
  const ids = sent.map(({ id }) => id).join();
  useEffect(() => {
    let isOver = false;
    // Safari allows copying only directly in the press, so the links are made before it.
    if (canLink())
      void Promise.all(sent.map(linkOf)).then((made) => !isOver && setLinks(made.filter((link) => link !== undefined)));
    return () => void (isOver = true);
    // oxlint-disable-next-line react/exhaustive-deps -- `ids` tells which quotes are sent
  }, [ids]);
  if (links.length === 0) return null;

  return (
    <>
      <p>
        <Inline text={words.along.why} />
      </p>
      <button className="button plain" type="button" onClick={() => void copy(links.join('\n'), words.along.copied)}>
        <ButtonWords text={words.along.copy(links.length)} />
      </button>
    </>
  );
}
