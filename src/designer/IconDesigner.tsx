import { bothWords, mainWords } from '../content/bilingual.ts';
import { designer as words } from '../content/designer.ts';
import { Bilingual } from '../ui/Bilingual.tsx';
import { Inline } from '../ui/Inline.tsx';
import internal from '../ui/InternalPage.module.css';
import { InternalPage } from '../ui/InternalPage.tsx';
import { Exports } from './Exports.tsx';
import { Guidelines } from './Guidelines.tsx';
import { drawPreview, initialState, measures, SCALE_TESTS, SCHEMES } from './icon.ts';
import styles from './IconDesigner.module.css';
import { Picture } from './Picture.tsx';
import { useIconState } from './use-icon-state.ts';

const SPECS = ['radius', 'padding', 'safeZone', 'size'] as const;

export function IconDesigner() {
  const [state, change] = useIconState();
  const { scheme, exportSize } = state;
  const lengths = measures(exportSize);
  return (
    <InternalPage words={words} titleIn="en" className={styles['page']}>
      <section className={styles['preview']} aria-labelledby="preview">
        <Bilingual as="h2" id="preview" text={words.preview.title} />
        <Picture
          svg={drawPreview(state)}
          size={state.size}
          text={words.preview.picture(mainWords(words.scheme.names[scheme]))}
        />
        <Bilingual text={words.preview.note} />
      </section>

      <form className={internal['panel']} onSubmit={(event) => event.preventDefault()}>
        <fieldset>
          <legend className="label">
            <Inline text={words.scheme.title} />
          </legend>
          {SCHEMES.map((name) => (
            <label key={name} className={internal['choice']}>
              <input type="radio" name="scheme" checked={name === scheme} onChange={() => change({ scheme: name })} />
              <Picture svg={drawPreview({ ...initialState, scheme: name, grid: false, safeZones: false })} size={44} />
              <span>
                <Inline text={words.scheme.names[name]} />
              </span>
            </label>
          ))}
        </fieldset>
        <fieldset>
          <legend className="label">
            <Inline text={words.guides.title} />
          </legend>
          {(['grid', 'safeZones'] as const).map((guide) => (
            <label key={guide} className={internal['choice']}>
              <input
                type="checkbox"
                name={guide}
                checked={state[guide]}
                onChange={(event) => change({ [guide]: event.target.checked })}
              />
              <span>
                <Inline text={words.guides[guide]} />
              </span>
            </label>
          ))}
        </fieldset>
        <Exports state={state} onSize={(size) => change({ exportSize: size })} />
      </form>

      <section aria-labelledby="scale-tests">
        <Bilingual as="h2" id="scale-tests" text={words.scaleTests.title} />
        <ul className={styles['scales']}>
          {SCALE_TESTS.map((size) => (
            <li key={size}>
              <Picture
                svg={drawPreview({ ...state, size, grid: false, safeZones: false })}
                size={size}
                text={bothWords(words.scaleTests.picture(size))}
              />
              <span className="label">{words.specs.pixels(size)}</span>
            </li>
          ))}
        </ul>
        <Bilingual className={styles['note']} text={words.scaleTests.note} />
      </section>

      <section aria-labelledby="specs">
        <Bilingual as="h2" id="specs" text={words.specs.title} />
        <dl className={styles['specs']}>
          {SPECS.map((name) => (
            <div key={name}>
              <dt>
                <Inline text={words.specs.names[name]} />
              </dt>
              <dd className="figure">{(name === 'size' ? words.specs.square : words.specs.pixels)(lengths[name])}</dd>
            </div>
          ))}
        </dl>
      </section>

      <Guidelines scheme={scheme} />
    </InternalPage>
  );
}
