import { designer } from '../content/designer.ts';
import { Bilingual } from '../ui/Bilingual.tsx';
import { Inline } from '../ui/Inline.tsx';
import { findings, type GuidelineFinding } from './guidelines.ts';
import { drawIcon, MASTER, type SchemeName } from './icon.ts';
import styles from './IconDesigner.module.css';

const words = designer.guidelines;

export function Guidelines({ scheme }: { readonly scheme: SchemeName }) {
  return (
    <section className={styles['guidelines']} aria-labelledby="guidelines">
      <Bilingual as="h2" id="guidelines" text={words.title} />
      <Bilingual className={styles['note']} text={words.note} />
      <ol>
        {findings(drawIcon(scheme, MASTER)).map((finding) => {
          const state = stateOf(finding);
          const { name, reason } = textOf(finding);
          return (
            <li key={finding.guideline}>
              <h3>
                <Inline text={name} />
              </h3>
              <p>
                <Inline text={reason} />
              </p>
              <p className="label" data-state={state}>
                <Inline text={words.states[state]} />
              </p>
            </li>
          );
        })}
      </ol>
    </section>
  );
}

function stateOf(finding: GuidelineFinding) {
  if (finding.kind === 'judgement') return 'judgement';
  return finding.met ? 'met' : 'missed';
}

function textOf(finding: GuidelineFinding) {
  if (finding.kind === 'judgement') return words.judged[finding.guideline];
  const { name, figure } = words.measured[finding.guideline];
  return { name, reason: figure(finding.figure) };
}
