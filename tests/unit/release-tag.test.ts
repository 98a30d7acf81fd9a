import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { notesOf } from '../../build/release/notes.ts';
import { makeTag, requireTaggable } from '../../build/release/tag.ts';

const CHANGELOG = '# Changelog\n\n## Unreleased\n\n- Next.\n\n## 1.0.0 (2026-11-28)\n\n### Desk\n- First.\n';

test('the release notes are the version’s section of the changelog', () => {
  expect(notesOf(CHANGELOG, '1.0.0', true)).toBe('# AeroPuente 1.0.0\n\n### Desk\n- First.\n');
  expect(notesOf(CHANGELOG, '1.1.0')).toBe('# AeroPuente 1.1.0\n\n- Next.\n');
  expect(() => notesOf(CHANGELOG, '1.1.0', true)).toThrow('no section "## 1.1.0"');
});

test('a release tag contains the release notes, and is refused while changes are uncommitted', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'tag-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const git = (...parameters: string[]) => spawnSync('git', parameters, { cwd: folder, encoding: 'utf8' }).stdout;
  git('init', '--quiet');
  git('config', 'user.name', 'Ana');
  git('config', 'user.email', 'ana@example.com');
  writeFileSync(path.join(folder, 'package.json'), '{}');
  git('add', 'package.json');
  git('commit', '--quiet', '--message', 'first');
  writeFileSync(path.join(folder, 'package.json'), '{ }');
  expect(() => requireTaggable('v1.0.0', folder)).toThrow('commit them first');
  git('checkout', '--quiet', 'package.json');
  requireTaggable('v1.0.0', folder);
  makeTag('v1.0.0', notesOf(CHANGELOG, '1.0.0', true), folder);
  expect(git('tag', '--list', '--format=%(contents)', 'v1.0.0').trim()).toBe(
    '# AeroPuente 1.0.0\n\n### Desk\n- First.',
  );
  expect(() => requireTaggable('v1.0.0', folder)).toThrow('there already');
});
