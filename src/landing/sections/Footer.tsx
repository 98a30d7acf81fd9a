import { englishWords } from '../../content/bilingual.ts';
import { QUOTES_ADDRESS } from '../../agreements.ts';
import type { ReactNode } from 'react';
import { config } from '../../config.ts';
import { footer } from '../../content/footer.ts';
import { Inline } from '../../ui/Inline.tsx';
import { telephone, whatsapp } from '../../ui/contact-links.ts';
import styles from './Footer.module.css';

export function Footer({ children }: { readonly children?: ReactNode }) {
  const { company } = config;
  const { services, routes, contact } = footer;
  return (
    <footer className={`${styles['footer']} night`}>
      <div>
        <h2 className="label">
          <Inline text={services.title} />
        </h2>
        <ul>
          {services.items.map((item) => (
            <li key={englishWords(item)}>
              <Inline text={item} />
            </li>
          ))}
        </ul>
      </div>
      <div>
        <h2 className="label">
          <Inline text={routes.title} />
        </h2>
        <ul>
          {routes.items.map((route) => (
            <li key={route}>{route}</li>
          ))}
        </ul>
      </div>
      <address>
        <h2 className="label">
          <Inline text={contact.title} />
        </h2>
        <p>{company.address}</p>
        <a href={telephone(company.phone)}>{company.phone}</a>
        <a href={`mailto:${company.email}`}>{company.email}</a>
        <a href={whatsapp(company.whatsapp)}>{contact.whatsapp}</a>
      </address>
      <p className={styles['end']}>
        <span>
          {footer.copyright} {company.legalName}
        </span>
        <a href={`/${QUOTES_ADDRESS}`}>
          <Inline text={footer.quotes} />
        </a>
        <a href="/privacidad.html">
          <Inline text={footer.privacy} />
        </a>
        <a href="/terminos.html">
          <Inline text={footer.terms} />
        </a>
        <a href="/#contact-form">
          <Inline text={contact.title} />
        </a>
      </p>
      {/* The phone's settings are last: React adds controls to them later, which would move content below them. */}
      <div className={styles['phone']}>{children}</div>
    </footer>
  );
}
