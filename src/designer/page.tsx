import { designer } from '../content/designer.ts';
import { openInternalPage } from '../ui/internal-page.tsx';

export const open = () =>
  openInternalPage(designer.title, () => import('./IconDesigner.tsx').then((module) => module.IconDesigner));
