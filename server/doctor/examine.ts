import { setTimeout as wait } from 'node:timers/promises';
import type { Bilingual } from '../../src/content/bilingual.ts';
import { sentence } from '../../src/content/sentences.ts';
import type { CheckResult } from '../../src/content/desk-system.ts';
import { SETTINGS } from '../service/files.ts';
import { messageOf, unknown, type Check, type Finding, type Machine } from './finding.ts';
import { clock, disk, memory, node, traces } from './machine.ts';
import { backup, inbox, mail, newer, push, settingsIn, webhooks, whatsApp } from './service.ts';
import { certificate, domain, notice, port, proxy } from './site.ts';

interface NamedCheck {
  readonly name: Bilingual;
  readonly check: Check;
}

export const CHECKS: readonly NamedCheck[] = [
  { name: { es: 'Ajustes', en: 'Settings' }, check: settingsIn(SETTINGS) },
  { name: { es: 'Servidor', en: 'Server' }, check: port },
  { name: { es: 'DNS', en: 'DNS' }, check: domain },
  { name: { es: 'Certificado', en: 'Certificate' }, check: certificate },
  { name: { es: 'Proxy', en: 'Proxy' }, check: proxy },
  { name: { es: 'Aviso de privacidad', en: 'Privacy notice' }, check: notice },
  { name: { es: 'Reloj', en: 'Clock' }, check: clock },
  { name: { es: 'Disco', en: 'Disk' }, check: disk },
  { name: { es: 'Memoria', en: 'Memory' }, check: memory },
  { name: { es: 'Node', en: 'Node' }, check: node },
  { name: { es: 'Restos de npm', en: 'Traces of npm' }, check: traces },
  { name: { es: 'Correo', en: 'Mail' }, check: mail },
  { name: { es: 'WhatsApp', en: 'WhatsApp' }, check: whatsApp },
  { name: { es: 'Respuestas por correo', en: 'Replies by mail' }, check: inbox },
  { name: { es: 'Avisos', en: 'Alerts' }, check: push },
  { name: { es: 'Webhooks', en: 'Webhooks' }, check: webhooks },
  { name: { es: 'Respaldos', en: 'Backups' }, check: backup },
  { name: { es: 'Versión', en: 'Release' }, check: newer },
];

const failed = sentence<[name: Bilingual]>(
  (name) => `${name}: no se pudo revisar.`,
  (name) => `${name}: it could not be checked.`,
);
const silent = sentence<[name: Bilingual]>(
  (name) => `${name}: sin respuesta a tiempo.`,
  (name) => `${name}: no answer in time.`,
);

export const resultOf = ({ name, check }: NamedCheck, machine: Machine): Promise<Finding> =>
  check(machine).catch((error: unknown) => ({ kind: 'fault', says: failed(name), detail: messageOf(error) }));

/** Maximum number of milliseconds for each check of a running server. */
const CHECK_LIMIT = 5000;

/**
 * Checks of a running server. The check of the privacy notice is left out: this server has filled in the notice with
 * its own settings, so the check would always pass.
 */
const WHILE_RUNNING = CHECKS.filter(({ check }) => check !== notice);

/** Runs the checks at the same time. The results omit the details, which may contain secrets. */
export const examine = (
  machine: Machine,
  checks = WHILE_RUNNING,
  limit = CHECK_LIMIT,
): Promise<readonly CheckResult[]> =>
  Promise.all(
    checks.map(async (each) => {
      const timeout = wait(limit, unknown(silent(each.name)), { ref: false });
      const { kind, says, cure } = await Promise.race([resultOf(each, machine), timeout]);
      return { kind, says, ...(cure && { cure }) };
    }),
  );
