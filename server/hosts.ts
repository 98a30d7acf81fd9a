import { z } from 'zod';
import { localize } from './language.ts';

// This file also runs in an Edge Function of a hosted project, so it imports no module of node:.

const HOST = /^(\*\.)?[\w-]+(\.[\w-]+)*(:\d+)?$/;

const hostsIn = (value: string) => (value ? value.split(',').map((host) => host.trim().toLowerCase()) : []);

/** Setting with hosts separated by commas, such as `push.example.com:8443`. `*.` means every subdomain. */
export const hosts = (name: string) =>
  z
    .string()
    .trim()
    .default('')
    .refine((value) => hostsIn(value).every((host) => HOST.test(host)), {
      error: ({ input }) => {
        const wrong = hostsIn(String(input)).find((host) => !HOST.test(host));
        return localize({
          es: `${name} debe tener nombres de servidores separados por comas, como push.example.com; "${wrong}" no lo es.`,
          en: `${name} must be hosts separated by commas, such as push.example.com; "${wrong}" is not one.`,
        });
      },
    })
    .transform(hostsIn);

/** True if one of the names covers this host of a URL. */
export const isHostIn = (host: string, names: readonly string[]): boolean =>
  names.some((name) => (name.startsWith('*.') ? host.endsWith(name.slice(1)) : host === name));
