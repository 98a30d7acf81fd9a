import { useEffect, useState } from 'react';
import { links as words } from '../content/links.ts';
import { copy } from '../notices/copy.ts';
import { ButtonWords } from '../ui/ButtonWords.tsx';
import { Inline } from '../ui/Inline.tsx';
import { canLink, linkOf } from './link-of.ts';
import { useEntries } from './use-entries.ts';

/** Largest number of quotes whose links are copied, newest first. */
const MOST = 20;

/**
 * Button that copies the share links of all sent quotes. An app installed on an iPhone has a separate storage; the
 * visitor pastes the links there to have the quotes in the app too.
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
    // Safari allows copying only at the moment of the press, so the links must be ready before the press.
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
