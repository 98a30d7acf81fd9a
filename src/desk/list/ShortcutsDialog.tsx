import { useState } from 'react';
import { deskList } from '../../content/desk-list.ts';
import { Inline } from '../../ui/Inline.tsx';
import { Choice } from '../../ui/Choice.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import styles from './ShortcutsDialog.module.css';
import { areShortcutsOn, setShortcuts } from './shortcut-setting.ts';

const words = deskList.keys;

export function ShortcutsDialog({ onClose }: { readonly onClose: () => void }) {
  const [on, setOn] = useState(areShortcutsOn);
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
          setShortcuts(event.target.checked);
          setOn(event.target.checked);
        }}
      />
    </Dialog>
  );
}
