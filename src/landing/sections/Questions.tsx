import { questions } from '../../content/questions.ts';
import { Bilingual } from '../../ui/Bilingual.tsx';
import { Section } from '../../ui/Section.tsx';
import { Translation } from '../../ui/Translation.tsx';
import { noBreak } from '../../ui/no-break.tsx';
import styles from './Questions.module.css';

export function Questions() {
  return (
    <Section id="preguntas" className={styles['questions']} title={questions.title}>
      <div>
        {questions.items.map(({ question, questionEn, answer, answerEn }) => (
          <details key={questionEn} name="faq">
            <summary>
              <b>{question}</b>
              <Translation text={{ es: question, en: questionEn }} />
            </summary>
            <Bilingual text={{ es: answer, en: answerEn }} render={noBreak} />
          </details>
        ))}
      </div>
    </Section>
  );
}
