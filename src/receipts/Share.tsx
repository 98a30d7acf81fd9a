import { handOff as words } from '../content/quote-states.ts';
import { ActionLabel } from './ActionLabel.tsx';

/** Button that opens the phone's menu for sharing; empty if the browser has none. */
export function Share({ data }: { readonly data: () => ShareData }) {
  if (!('share' in navigator)) return null;
  // The promise also rejects when the visitor cancels, so no error is shown.
  const share = () => void navigator.share(data()).catch(() => undefined);
  return (
    <button className="button plain" type="button" onClick={share}>
      <ActionLabel text={words.share} />
    </button>
  );
}
