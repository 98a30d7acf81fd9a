import path from 'node:path';
import type { Reporter as PlaywrightReporter, TestCase } from '@playwright/test/reporter';
import type { Reporter as VitestReporter } from 'vitest/node';

// Reporters for Vitest and Playwright that print the command which runs a failed or unsteady test alone.

type Outcome = 'failed' | 'unsteady';

const WORDS: Record<Outcome, string> = {
  failed: 'Failed. To run it alone:',
  unsteady: 'Unsteady: failed at first, passed at the second try. To run it alone:',
};

function tell(outcome: Outcome, command: string): void {
  console.log(`${WORDS[outcome]} ${command}`);
}

const quoted = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`;
const escaped = (text: string) => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);

export const vitestRerun: VitestReporter = {
  onTestRunEnd(modules) {
    for (const module of modules) {
      const file = path.relative('.', module.moduleId);
      const run = `npx vitest run --project ${module.project.name} ${file}`;
      if (module.state() === 'failed' && [...module.children.allTests('failed')].length === 0) tell('failed', run);
      for (const test of module.children.allTests()) {
        const alone = `${run} -t ${quoted(`^${escaped(test.fullName)}$`)}`;
        if (test.result().state === 'failed') tell('failed', alone);
        else if (test.diagnostic()?.flaky) tell('unsteady', alone);
      }
    }
  },
};

/** Default export, because Playwright loads a reporter as a class from a file. */
export default class PlaywrightRerun implements PlaywrightReporter {
  onTestEnd(test: TestCase): void {
    const outcome = test.outcome();
    const isLast = test.results.length > test.retries || outcome !== 'unexpected';
    if (!isLast || (outcome !== 'unexpected' && outcome !== 'flaky')) return;
    const { file, line } = test.location;
    const command = `npx playwright test ${path.relative('.', file)}:${line} --project ${test.parent.project()!.name}`;
    tell(outcome === 'flaky' ? 'unsteady' : 'failed', command);
  }

  printsToStdio(): boolean {
    return false;
  }
}
