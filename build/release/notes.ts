/** Returns the changelog section of a version. If there is none and the release is not tagged, returns "Unreleased". */
export function notesOf(changelog: string, version: string, isTagged = false): string {
  const sections = new Map<string, string>();
  for (const section of changelog.split(/^## /m).slice(1)) {
    const [title = '', ...lines] = section.split('\n');
    sections.set(title.split(/[ (]/)[0]!, lines.join('\n').trim());
  }
  const notes = sections.get(version) ?? (isTagged ? undefined : sections.get('Unreleased'));
  if (!notes)
    throw new Error(`CHANGELOG.md has no section "## ${version}". Write one, or set the version in package.json.`);
  return `# AeroPuente ${version}\n\n${notes}\n`;
}
