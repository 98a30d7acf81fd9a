import { handOff as words } from '../content/quote-states.ts';
import { ActionLabel } from './ActionLabel.tsx';

/** Button for the phone's own share sheet, if it has one. */
export function Share({ data }: { readonly data: () => ShareData }) {
  if (!('share' in navigator)) return null;
  // A cancelled share rejects too.
  const share = () => void navigator.share(data()).catch(() => undefined);
  return (
    <button className="button plain" type="button" onClick={share}>
      <ActionLabel text={words.share} />
    </button>
  );
}
