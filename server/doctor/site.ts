import { lookup } from 'node:dns/promises';
import { isDeepStrictEqual } from 'node:util';
import { connect, type PeerCertificate, type TLSSocket } from 'node:tls';
import { handlingOf } from '../../build/privacy-notice.ts';
import { NOTICE } from '../privacy-notice.ts';
import { fault, messageOf, REQUEST_TIMEOUT, unknown, well, type Check, type Machine } from './finding.ts';

const DAY = 24 * 3_600_000;
/**
 * Minimum number of days for which a certificate must still be valid. Caddy should have renewed it 30 days before its
 * end.
 */
const LEAST_DAYS = 14;

const ask = ({ fetch }: Machine, address: string, init: RequestInit = {}) =>
  fetch(address, { ...init, signal: AbortSignal.timeout(REQUEST_TIMEOUT) });

export const port: Check = async (machine) => {
  const { address } = machine;
  try {
    const response = await ask(machine, `${address}/healthz`);
    const health = (await response.json()) as { database?: string; message?: string };
    if (health.database === 'ok') return well({ es: 'Servidor: responde.', en: 'Server: it answers.' }, address);
    const why = health.database ?? health.message ?? '?';
    return fault(
      { es: 'Servidor: responde, pero no guarda cotizaciones.', en: 'Server: it answers, but stores no quotes.' },
      {
        es: 'La causa: aeropuente logs; docs/operar.md, "Un mal día".',
        en: 'The reason: aeropuente logs; docs/operar.md, "Un mal día".',
      },
      why,
    );
  } catch (error) {
    return fault(
      { es: 'Servidor: no responde.', en: 'Server: it does not answer.' },
      {
        es: 'systemctl status aeropuente; aeropuente logs; docs/operar.md, "El servicio no arranca".',
        en: 'systemctl status aeropuente; aeropuente logs; docs/operar.md, "El servicio no arranca".',
      },
      `${address}: ${messageOf(error)}`,
    );
  }
};

const noSite = (es: string, en: string) =>
  unknown({ es: `${es}: falta VITE_SITE_URL.`, en: `${en}: VITE_SITE_URL is not set.` });

export const domain: Check = async ({ settings: { siteUrl } }) => {
  if (!siteUrl) return noSite('DNS', 'DNS');
  const { hostname } = new URL(siteUrl);
  try {
    const found = (await lookup(hostname, { all: true })).map(({ address }) => address).join(', ');
    return well({ es: `DNS: ${hostname} apunta a ${found}.`, en: `DNS: ${hostname} points to ${found}.` });
  } catch (error) {
    return fault(
      { es: `DNS: ${hostname} no apunta a ninguna dirección.`, en: `DNS: ${hostname} points to no address.` },
      {
        es: 'Donde compró el dominio, ponga un registro A (y AAAA) con la dirección pública de esta máquina.',
        en: 'Where you bought the domain, set an A record (and AAAA) with the public address of this machine.',
      },
      messageOf(error),
    );
  }
};

export const certificate: Check = async ({ settings: { siteUrl }, now }) => {
  if (!siteUrl?.startsWith('https:')) return noSite('Certificado', 'Certificate');
  const { hostname, port: named } = new URL(siteUrl);
  const cure = {
    es: `journalctl -u caddy -n 50; los puertos 80 y 443 deben llegar a esta máquina desde internet.`,
    en: `journalctl -u caddy -n 50; ports 80 and 443 must reach this machine from the internet.`,
  };
  try {
    const { valid_to: until } = await certificateOf(hostname, Number(named || 443));
    const days = Math.floor((Date.parse(until) - now()) / DAY);
    if (days >= LEAST_DAYS)
      return well({ es: `Certificado: vence en ${days} días.`, en: `Certificate: valid for ${days} more days.` });
    return fault(
      {
        es: `Certificado: vence en ${days} días y no se ha renovado.`,
        en: `Certificate: it ends in ${days} days and is not renewed.`,
      },
      cure,
    );
  } catch (error) {
    return fault({ es: 'Certificado: no es válido.', en: 'Certificate: it is not valid.' }, cure, messageOf(error));
  }
};

function certificateOf(host: string, number: number): Promise<PeerCertificate> {
  return new Promise((resolve, reject) => {
    const socket: TLSSocket = connect({ host, port: number, servername: host, timeout: REQUEST_TIMEOUT }, () => {
      resolve(socket.getPeerCertificate());
      socket.destroy();
    });
    socket.once('error', reject).once('timeout', () => socket.destroy(new Error('no answer')));
  });
}

/**
 * Checks that the proxy forwards the form that is sent without script, forwards the visitor's address, and blocks
 * `/backup`.
 */
export const proxy: Check = async (machine) => {
  const { siteUrl, trustedProxies } = machine.settings;
  if (!siteUrl) return noSite('Proxy', 'Proxy');
  if (trustedProxies === 0)
    return fault(
      {
        es: 'Proxy: TRUST_PROXY es 0, así que todos los visitantes parecen uno solo.',
        en: 'Proxy: TRUST_PROXY is 0, so all visitors look like one.',
      },
      {
        es: 'TRUST_PROXY=1 en /etc/aeropuente/settings.env; systemctl restart aeropuente',
        en: 'TRUST_PROXY=1 in /etc/aeropuente/settings.env; systemctl restart aeropuente',
      },
    );
  try {
    const health = (await (await ask(machine, new URL('/healthz', siteUrl).href)).json()) as { node?: object };
    if (health.node)
      return fault(
        {
          es: 'Proxy: no pasa la dirección del visitante, así que todos parecen esta máquina.',
          en: 'Proxy: it does not pass on the address of visitors, so all look like this machine.',
        },
        {
          es: 'En Caddy, dentro de reverse_proxy: header_up X-Forwarded-For {remote_host}',
          en: 'In Caddy, within reverse_proxy: header_up X-Forwarded-For {remote_host}',
        },
      );
    const posted = await ask(machine, new URL('/cotizar', siteUrl).href, { method: 'POST', body: '' });
    if (posted.status !== 415)
      return fault(
        {
          es: `Proxy: /cotizar, el formulario sin script, responde ${posted.status}.`,
          en: `Proxy: /cotizar, the form without script, answers ${posted.status}.`,
        },
        { es: 'Deje pasar POST /cotizar en el proxy.', en: 'Let POST /cotizar through the proxy.' },
      );
    const backup = await ask(machine, new URL('/backup', siteUrl).href);
    if (backup.status !== 404)
      return fault(
        { es: 'Proxy: /backup es visible desde internet.', en: 'Proxy: /backup is visible from the internet.' },
        { es: 'En Caddy: respond /backup 404', en: 'In Caddy: respond /backup 404' },
      );
    return well({ es: 'Proxy: bien.', en: 'Proxy: right.' });
  } catch (error) {
    return fault(
      { es: 'Proxy: el sitio no responde.', en: 'Proxy: the site does not answer.' },
      {
        es: 'systemctl status caddy; journalctl -u caddy -n 20',
        en: 'systemctl status caddy; journalctl -u caddy -n 20',
      },
      `${siteUrl}: ${messageOf(error)}`,
    );
  }
};

/**
 * Compares the served privacy notice with the settings. The notice may be outdated, because the server reads its
 * settings only when it starts.
 */
export const notice: Check = async (machine) => {
  try {
    const html = await (await ask(machine, machine.address + NOTICE)).text();
    const [, attribute = ''] = /data-handling="([^"]*)"/.exec(html) ?? [];
    const handling = JSON.parse(
      attribute.replaceAll('&quot;', '"').replaceAll('&#x27;', "'").replaceAll('&amp;', '&'),
    ) as object;
    if (isDeepStrictEqual(handling, handlingOf(machine.environment)))
      return well({
        es: 'Aviso de privacidad: coincide con los ajustes.',
        en: 'Privacy notice: it matches the settings.',
      });
  } catch (error) {
    return unknown(
      { es: 'Aviso de privacidad: no se pudo revisar.', en: 'Privacy notice: could not be checked.' },
      messageOf(error),
    );
  }
  return fault(
    {
      es: 'Aviso de privacidad: los ajustes cambiaron después de arrancar.',
      en: 'Privacy notice: the settings changed after the start.',
    },
    { es: 'systemctl restart aeropuente', en: 'systemctl restart aeropuente' },
  );
};
