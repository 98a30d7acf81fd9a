import { LeadImport } from './LeadImport.tsx';
import { StepImport } from './StepImport.tsx';

interface Props {
  readonly of: 'import' | 'steps';
  readonly onClose: () => void;
}

/** Dialog that imports a file of leads or of milestones. */
export function ImportDialog({ of, onClose }: Props) {
  const Import = of === 'steps' ? StepImport : LeadImport;
  return <Import onClose={onClose} />;
}
