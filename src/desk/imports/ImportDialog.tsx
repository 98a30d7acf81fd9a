import { LeadImport } from './LeadImport.tsx';
import { StepImport } from './StepImport.tsx';

interface Props {
  readonly of: 'import' | 'steps';
  readonly onClose: () => void;
}

export function ImportDialog({ of, onClose }: Props) {
  const Import = of === 'steps' ? StepImport : LeadImport;
  return <Import onClose={onClose} />;
}
