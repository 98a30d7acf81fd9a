import { config } from '../../config.ts';
import { navigation } from '../../content/navigation.ts';
import { Icon } from '../../ui/Icon.tsx';
import { ButtonWords } from '../../ui/ButtonWords.tsx';
import { Inline } from '../../ui/Inline.tsx';
import styles from './Navigation.module.css';

export function Navigation() {
  return (
    <header className={styles['bar']}>
      <a className={styles['brand']} href="#hero">
        {config.company.name}
      </a>
      <nav aria-label={navigation.label}>
        <ul>
          {navigation.items.map(({ icon, url, name }) => (
            <li key={url}>
              <a href={url}>
                <Icon name={icon} />
                <span>
                  <Inline text={name} />
                </span>
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <a className="button" href="#contact-form">
        <ButtonWords text={navigation.quote} />
      </a>
    </header>
  );
}
