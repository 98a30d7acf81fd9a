import { z } from 'zod';

const lockSchema = z.object({
  lockfileVersion: z.literal(3),
  packages: z.record(
    z.string(),
    z.looseObject({
      version: z.string().optional(),
      license: z.string().optional(),
      integrity: z.string().optional(),
      dev: z.boolean().optional(),
      dependencies: z.record(z.string(), z.string()).optional(),
      optionalDependencies: z.record(z.string(), z.string()).optional(),
    }),
  ),
});

export type Lock = z.infer<typeof lockSchema>;
export const readLock = (text: string): Lock => lockSchema.parse(JSON.parse(text));

/**
 * Returns the path under which the lock file lists a package. Searches as npm does: in the importer's own node_modules,
 * then in each folder above.
 */
function placeOf(name: string, from: string, { packages }: Lock): string | undefined {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    const place = `${folder}${folder && '/'}node_modules/${name}`;
    if (packages[place]) return place;
    if (!folder) return undefined;
  }
}

/**
 * Finds the packages and everything that they depend on. Returns, for the path of each package in the lock file, the
 * paths of its direct dependencies.
 */
function withDependencies(names: readonly string[], lock: Lock): Map<string, string[]> {
  const dependenciesByPlace = new Map<string, string[]>();
  const waiting = names.map((name) => placeOf(name, '', lock)!);
  for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
    if (dependenciesByPlace.has(place)) continue;
    const here = place;
    const { dependencies, optionalDependencies } = lock.packages[here]!;
    const found = Object.keys({ ...dependencies, ...optionalDependencies }).flatMap(
      (name) => placeOf(name, here, lock) ?? [],
    );
    dependenciesByPlace.set(here, found);
    waiting.push(...found);
  }
  return dependenciesByPlace;
}

interface Product {
  readonly name: string;
  readonly version: string;
  /** Packages that `npm ci` installs on the server. */
  readonly ofServer: readonly string[];
  /** Packages that are built into the site. */
  readonly ofSite: readonly string[];
}

/**
 * Returns the bill of materials in CycloneDX 1.5. The bill has no time and no serial number, so that the same lock file
 * gives the same bill.
 */
export function billOfMaterials({ name, version, ofServer, ofSite }: Product, lock: Lock): string {
  const installed = withDependencies(ofServer, lock);
  const all = new Map([...withDependencies(ofSite, lock), ...installed]);
  const refOf = (place: string) => `${nameAt(place)}@${lock.packages[place]!.version}`;
  // Two folders may hold the same version of a package, which the bill lists once.
  const places = [...new Map([...all.keys()].toSorted().map((place) => [refOf(place), place])).values()];
  const components = places.map((place) => {
    const { version: exact, license, integrity } = lock.packages[place]!;
    const [group, own] = nameAt(place).startsWith('@') ? nameAt(place).split('/') : [undefined, nameAt(place)];
    return {
      'bom-ref': refOf(place),
      type: 'library',
      ...(group && { group }),
      name: own,
      version: exact,
      purl: `pkg:npm/${group ? `${encodeURIComponent(group)}/` : ''}${own}@${exact}`,
      ...(integrity && { hashes: [hashOf(integrity)] }),
      ...(license && {
        licenses: [/ (OR|AND|WITH) /.test(license) ? { expression: license } : { license: { id: license } }],
      }),
      properties: [{ name: 'aeropuente:where', value: installed.has(place) ? 'server' : 'site' }],
    };
  });
  const root = `${name}@${version}`;
  const direct = [...ofServer, ...ofSite].map((each) => refOf(placeOf(each, '', lock)!));
  const dependencies = [
    { ref: root, dependsOn: [...new Set(direct)].toSorted() },
    ...places.map((place) => ({ ref: refOf(place), dependsOn: [...new Set(all.get(place)!.map(refOf))].toSorted() })),
  ];
  const component = { 'bom-ref': root, type: 'application', name, version };
  const bill = {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: { component },
    components,
    dependencies,
  };
  return `${JSON.stringify(bill, undefined, 2)}\n`;
}

const nameAt = (place: string) => place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length);

function hashOf(integrity: string): { alg: string; content: string } {
  const [, kind, base64] = /^sha(\d+)-(.+)$/.exec(integrity)!;
  return { alg: `SHA-${kind}`, content: Buffer.from(base64!, 'base64').toString('hex') };
}

/** Returns the lock file for a server: without packages for building and testing, and without Node. */
export function lockOfServer(text: string): string {
  const { packages, ...about } = JSON.parse(text) as { packages: Record<string, { dev?: boolean }> };
  const { devDependencies: _, optionalDependencies, ...root } = readLock(text).packages['']!;
  const nodes = Object.keys(optionalDependencies!).map((name) => `node_modules/${name}`);
  const installed = Object.entries(packages).filter(([place, { dev }]) => !dev && !nodes.includes(place));
  return `${JSON.stringify({ ...about, packages: { ...Object.fromEntries(installed), '': root } }, undefined, 2)}\n`;
}
