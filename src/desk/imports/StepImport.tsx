import { useState } from 'react';
import { stepDialog } from '../../content/import-dialog.ts';
import { importedStep } from '../../content/step-import.ts';
import { importSteps } from '../../lead/step-import.ts';
import { readStepFile, type StepFile } from '../../lead/steps-csv.ts';
import { stepRequests } from '../api/step-import.ts';
import { FileImport, type Chosen } from './FileImport.tsx';

/** Dialog that imports milestones from a file. */
export function StepImport({ onClose }: { readonly onClose: () => void }) {
  const [file, setFile] = useState<StepFile>();
  return (
    <FileImport
      texts={stepDialog}
      chosen={file && chosenOf(file)}
      onChoose={(text) => setFile(text === undefined ? undefined : readStepFile(text))}
      onClose={onClose}
    />
  );
}

const chosenOf = ({ heading, rows }: StepFile): Chosen => ({
  heading,
  of: rows.length,
  run: async (isTrial, onProgress) => {
    const show = (results: Awaited<ReturnType<typeof importSteps>>) =>
      onProgress(results.map((row) => importedStep(row, isTrial)));
    show(await importSteps(rows, stepRequests(isTrial), show));
  },
});
