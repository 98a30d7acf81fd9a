import { designer } from '../content/designer.ts';
import { openInternalPage } from '../ui/internal-page.tsx';
import { later } from '../ui/later.tsx';

// Apart, so that the loader need not name all that it consists of.
const IconDesigner = later(() => import('./IconDesigner.tsx').then((module) => module.IconDesigner));

export const open = () => openInternalPage(designer.title, IconDesigner);
