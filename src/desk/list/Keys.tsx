import { useState } from 'react';
import { deskList } from '../../content/desk-list.ts';
import { Inline } from '../../ui/Inline.tsx';
import { Choice } from '../../ui/Choice.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import styles from './Keys.module.css';
import { isSingleKeyOn, setSingleKeys } from './single-keys.ts';

const words = deskList.keys;

export function Keys({ onClose }: { readonly onClose: () => void }) {
  const [on, setOn] = useState(isSingleKeyOn);
  return (
    <Dialog title={words.open} onClose={onClose}>
      <dl className={styles['keys']}>
        {words.list.map(({ key, does }) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>
              <Inline text={does} />
            </dd>
          </div>
        ))}
      </dl>
      <Choice
        label={words.single}
        checked={on}
        onChange={(event) => {
          setSingleKeys(event.target.checked);
          setOn(event.target.checked);
        }}
      />
    </Dialog>
  );
}
