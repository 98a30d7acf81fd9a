import { deskFactor } from '../../content/desk-factor.ts';
import { config } from '../../config.ts';
import { copy } from '../../notices/copy.ts';
import { Button, Buttons } from '../../ui/Button.tsx';
import { download } from '../../ui/download.ts';
import styles from './Factor.module.css';

const words = deskFactor.codes;

/** List of new recovery codes, shown once: the server cannot show them again. */
export function RecoveryCodes({ codes }: { readonly codes: readonly string[] }) {
  const shown = codes.map((code) => code.match(/.{4}/g)!.join('-'));
  const text = `${shown.join('\n')}\n`;
  return (
    <>
      <ol className={styles['codes']} translate="no">
        {shown.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ol>
      <Buttons>
        <Button words={words.copy} onClick={() => void copy(text, words.copied)} />
        <Button
          words={words.download}
          onClick={() => download(`${config.company.name} - codigos.txt`, 'text/plain', [text])}
        />
      </Buttons>
    </>
  );
}
