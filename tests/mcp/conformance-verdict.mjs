// Sums up what the conformance suite printed.
//
//   node conformance-verdict.mjs LOG [REQUIREMENTS.yaml server|client]
//
// With a file of requirements of the suite, only the scenarios that it lists for the side are required.
import { readFileSync } from 'node:fs';

const [log, requirements, side] = process.argv.slice(2);
const lines = readFileSync(log, 'utf8').split('\n');
const named = (expression) => lines.map((line) => expression.exec(line)?.[1]).filter(Boolean);
const ran = named(/^[✓✗] (\S+):/u);
const red = new Set(named(/^✗ (\S+):/u));
const expected = named(/^ {2}~ (\S+)/u);
const unexpected = named(/^ {2}✗ (\S+)$/u);
const stale = named(/^ {2}✓ (\S+)$/u);

function required() {
  if (!requirements) return ran;
  const all = readFileSync(requirements, 'utf8').split('\n');
  const list = all.slice(all.indexOf(`${side}:`) + 1);
  const end = list.findIndex((line) => /^\w/.test(line));
  return list.slice(0, end < 0 ? undefined : end).map((line) => /^ {2}- (\S+)/.exec(line)?.[1]).filter(Boolean);
}

const scenario = (entry) => entry.split(':')[0];
const scored = required();
const missing = scored.filter((name) => !ran.includes(name));
// An entry with a colon is one check of a scenario, whose others are required.
const failing = new Set([...expected.filter((entry) => !entry.includes(':')), ...unexpected.map(scenario)]);
const green = scored.filter((name) => ran.includes(name) && !failing.has(name));
const whole = expected.filter((entry) => !entry.includes(':')).length;
const checks = expected.length - whole;
const parts = [
  `${green.length} of ${scored.length} required scenarios green`,
  `${whole} expected to fail`,
  ...(checks > 0 ? [`${checks} checks of green ones expected to fail`] : []),
  ...(unexpected.length > 0 ? [`NOT EXPECTED: ${unexpected.join(', ')}`] : []),
  ...(stale.length > 0 ? [`expected to fail, but green: ${stale.join(', ')}`] : []),
  ...(missing.length > 0 ? [`NOT RUN: ${missing.join(', ')}`] : [])
];
const others = ran.filter((name) => !scored.includes(name));
if (others.length > 0) {
  const redOthers = others.filter((name) => red.has(name));
  parts.push(`${others.length - redOthers.length} of ${others.length} others green${redOthers.length > 0 ? ` (red: ${redOthers.join(', ')})` : ''}`);
}
console.log(parts.join('; '));
process.exit(missing.length > 0 || ran.length === 0 ? 1 : 0);
