import { countImport } from '../../src/content/imported-rows.ts';
import { englishWords, mainWords } from '../../src/content/bilingual.ts';
import { joined } from '../../src/content/sentences.ts';
import { importedStep } from '../../src/content/step-import.ts';
import { decodeText } from '../../src/lead/csv-rows.ts';
import { importSteps } from '../../src/lead/step-import.ts';
import { readStepFile } from '../../src/lead/steps-csv.ts';
import { OperatorError } from '../language.ts';
import type { Leads } from './leads.ts';
import { print } from './command.ts';
import { readOperatorFile } from './operator.ts';

/**
 * Stores the milestones of a CSV file. A line with an error is reported and skipped. Storing the same file a second
 * time changes nothing.
 */
export async function trackFile(leads: Leads, file: string): Promise<void> {
  const imported = await importSteps(readStepFile(decodeText(readOperatorFile(file))).rows, leads.steps);
  const rows = imported.map((row) => importedStep(row, false));
  const { stored, there, wrong } = countImport(rows);
  print({
    es: `Pasos guardados: ${stored}; ya estaban: ${there}; con error: ${wrong}.`,
    en: `Milestones stored: ${stored}; there already: ${there}; with an error: ${wrong}.`,
  });
  if (wrong === 0) return;
  throw new OperatorError(
    joined(
      rows
        .filter(({ became }) => became === 'wrong')
        .map(({ line, says }) => ({
          es: `Línea ${line}: ${mainWords(says)}.`,
          en: `Line ${line}: ${englishWords(says)}.`,
        })),
      '\n',
    ),
  );
}
