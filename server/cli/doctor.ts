import { CHECKS, resultOf } from '../doctor/examine.ts';
import type { Finding, Machine } from '../doctor/finding.ts';
import { measureDisk, memoryHere } from '../doctor/machine.ts';
import { plainFetch } from '../plain-fetch.ts';
import { readSettings, type Settings } from '../settings.ts';
import { openAlerts, type AlertsApi } from './alerts-api.ts';
import { tryBackup } from './backup-file.ts';
import { localize } from '../language.ts';
import { FLAG, parseOptions, print, printData, runCommand } from './command.ts';

const HELP = {
  es: `aeropuente doctor [--send]   revisa la máquina y dice cómo corregir cada falla

Reloj, DNS, certificado, puerto, proxy, disco, memoria, correo, avisos, webhooks, respaldos (prueba a recuperar el más nuevo), Node,
aviso de privacidad, ajustes, versión. Con --send envía un correo de prueba a ALERT_MAIL. Termina con 1 si algo falla.`,
  en: `aeropuente doctor [--send]   checks the machine and says how to fix each fault

Clock, DNS, certificate, port, proxy, disk, memory, mail, alerts, webhooks, backups (tries to restore the newest), Node,
privacy notice, settings, release. With --send it sends a test mail to ALERT_MAIL. Ends with 1 if there is a fault.`,
};

const MARKS: Readonly<Record<Finding['kind'], string>> = { well: '✓', fault: '✗', unknown: '–' };

async function run(): Promise<void> {
  const { values } = parseOptions({ options: { send: FLAG, help: FLAG } });
  if (values.help) return print(HELP);
  const settings = readSettings(process.env);
  const machine: Machine = {
    settings,
    environment: process.env,
    address: ownAddress(settings),
    fetch: plainFetch,
    now: Date.now,
    disk: measureDisk,
    memory: memoryHere,
    node: process.versions.node,
    devices: () => count(settings, (api) => api.devices()),
    asideWebhooks: () => count(settings, (api) => api.asideWebhooks()),
    stuckHooks: () => count(settings, (api) => api.stuckHooks()),
    tryBackup,
    sends: values.send,
  };
  let faults = 0;
  for (const check of CHECKS) {
    const { kind, says, cure, detail } = await resultOf(check, machine);
    printData(`${MARKS[kind]} ${localize(says)}${detail ? ` (${detail})` : ''}`);
    if (cure) printData(`  → ${localize(cure)}`);
    if (kind === 'fault') faults += 1;
  }
  print(
    faults === 0
      ? { es: 'Todo está bien.', en: 'All is well.' }
      : { es: `Fallas: ${faults}.`, en: `Faults: ${faults}.` },
  );
  if (faults > 0) process.exitCode = 1;
}

const ownAddress = ({ host, port }: Settings) =>
  `http://${['0.0.0.0', '::'].includes(host) ? '127.0.0.1' : host}:${port}`;

async function count(settings: Settings, read: (api: AlertsApi) => Promise<readonly object[]>): Promise<number> {
  const api = await openAlerts(settings, undefined);
  try {
    return (await read(api)).length;
  } finally {
    await api.close();
  }
}

await runCommand(run);
