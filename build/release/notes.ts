/** What the changelog says of a version; of one that it does not name yet, what is unreleased. */
export function notesOf(changelog: string, version: string): string {
  const sections = new Map<string, string>();
  for (const section of changelog.split(/^## /m).slice(1)) {
    const [title = '', ...lines] = section.split('\n');
    sections.set(title.split(/[ (]/)[0]!, lines.join('\n').trim());
  }
  const said = sections.get(version) ?? sections.get('Unreleased');
  if (!said) throw new Error(`CHANGELOG.md says nothing of ${version}.`);
  return `# AeroPuente ${version}\n\n${said}\n`;
}
