import { SETTINGS } from '../service/files.ts';
import { plainFetch } from '../plain-fetch.ts';
import { readSettings } from '../settings.ts';
import { messageOf, type Check, type Finding, type Machine } from './doctor/finding.ts';
import { clock, disk, measureDisk, memory, memoryHere, node, traces } from './doctor/machine.ts';
import { backup, mail, newer, push, settingsIn } from './doctor/service.ts';
import { certificate, domain, notice, port, proxy } from './doctor/site.ts';
import { localize } from '../language.ts';
import { FLAG, parseOptions, runCommand } from './command.ts';

const HELP = localize({
  es: `aeropuente doctor [--send]   examina la máquina, y dice qué hacer con cada falla

Reloj, DNS, certificado, puerto, proxy, disco, memoria, correo, avisos, respaldos (recupera el más nuevo, aparte), Node,
aviso de privacidad, ajustes, versión. Con --send envía un correo de prueba a ALERT_MAIL. Termina con 1 si algo falla.
`,
  en: `aeropuente doctor [--send]   examines the machine, and says what to do about each fault

Clock, DNS, certificate, port, proxy, disk, memory, mail, alerts, backups (brings the newest back, elsewhere), Node,
privacy notice, settings, release. With --send it sends a test mail to ALERT_MAIL. It ends with 1 if there is a fault.
`,
});

const CHECKS: readonly Check[] = [
  settingsIn(SETTINGS),
  port,
  domain,
  certificate,
  proxy,
  notice,
  clock,
  disk,
  memory,
  node,
  traces,
  mail,
  push,
  backup,
  newer,
];

const MARKS: Readonly<Record<Finding['kind'], string>> = { well: '✓', fault: '✗', unknown: '–' };

async function run(): Promise<void> {
  const { values } = parseOptions({ options: { send: FLAG, help: FLAG } });
  if (values.help) return void process.stdout.write(HELP);
  const machine: Machine = {
    settings: readSettings(process.env),
    environment: process.env,
    fetch: plainFetch,
    now: Date.now,
    disk: measureDisk,
    memory: memoryHere,
    node: process.versions.node,
    sends: values.send,
  };
  let faults = 0;
  for (const check of CHECKS) {
    const { kind, says, cure } = await check(machine).catch((error: unknown): Finding => ({
      kind: 'fault',
      says: messageOf(error),
    }));
    console.log(`${MARKS[kind]} ${says}`);
    if (cure) console.log(`  → ${cure}`);
    if (kind === 'fault') faults += 1;
  }
  console.log(
    faults === 0
      ? localize({ es: 'Todo está bien.', en: 'All is well.' })
      : localize({ es: `Fallas: ${faults}.`, en: `Faults: ${faults}.` }),
  );
  if (faults > 0) process.exitCode = 1;
}

await runCommand(run);
