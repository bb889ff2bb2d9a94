import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readPublishTime } from '../../../article/frontmatter/publish-time.ts';
import { runs } from '../../support/property-runs.ts';

const read = (text: string) => {
  const time = readPublishTime(text);
  return 'problem' in time ? time.problem : { at: time.at.toISOString(), zone: time.zone, isTwice: time.isTwice };
};

for (const [text, at, zone] of [
  ['2027-03-01T09:00[Europe/Berlin]', '2027-03-01T08:00:00.000Z', 'Europe/Berlin'],
  ['2027-07-01 09:00:30 [Europe/Berlin]', '2027-07-01T07:00:30.000Z', 'Europe/Berlin'],
  ['2027-07-01T09:00+02:00[Europe/Berlin]', '2027-07-01T07:00:00.000Z', 'Europe/Berlin'],
  ['2027-07-01T09:00+0200[europe/berlin]', '2027-07-01T07:00:00.000Z', 'Europe/Berlin'],
  ['2027-07-01T09:00+02[Europe/Berlin]', '2027-07-01T07:00:00.000Z', 'Europe/Berlin'],
  ['2027-07-01[Asia/Kolkata]', '2027-06-30T18:30:00.000Z', null],
  ['2027-01-01T00:00[America/Argentina/Buenos_Aires]', '2027-01-01T03:00:00.000Z', null],
  // RFC 9557: Z defines the instant and leaves the place open, so it never contradicts a zone.
  ['2027-07-01T07:00:00Z[Europe/Berlin]', '2027-07-01T07:00:00.000Z', 'Europe/Berlin'],
  ['2027-03-28T02:30:00Z[Europe/Berlin]', '2027-03-28T02:30:00.000Z', 'Europe/Berlin'],
  ['2027-07-01T07:00:00-00:00[Europe/Berlin]', '2027-07-01T07:00:00.000Z', 'Europe/Berlin'],
  ['2027-07-01T09:00:00.1239[Europe/Berlin]', '2027-07-01T07:00:00.123Z', 'Europe/Berlin'],
  ['1970-01-01T00:00:00Z', '1970-01-01T00:00:00.000Z', null],
  ['2199-12-31T23:59:59.5Z', '2199-12-31T23:59:59.500Z', null],
  ['2027-07-01T09:00+14:00', '2027-06-30T19:00:00.000Z', '+14:00'],
  ['2027-07-01T09:00-03:59', '2027-07-01T12:59:00.000Z', '-03:59'],
] as const) {
  test(`${text} is ${at}`, () => {
    const time = read(text);
    assert.ok(typeof time === 'object', String(time));
    assert.equal(time.at, at);
    if (zone) assert.equal(time.zone, zone);
  });
}

for (const [text, problem] of [
  ['2027-03-28T02:30[Europe/Berlin]', /skips/],
  ['2027-07-01T09:00+01:00[Europe/Berlin]', /offset \+01:00/],
  ['2027-07-01T09:00[Europe/Atlantis]', /does not exist/],
  ['2027-07-01T09:00[+02:00]', /does not exist/],
  ['2027-07-01T09:00[../../etc/passwd]', /does not exist/],
  ['2027-07-01T09:00[!Europe/Berlin]', /does not exist/],
  ['2027-07-01T09:00[]', /ISO 8601/],
  ['2026-02-30T09:00[Europe/Berlin]', /day that does not exist/],
  ['2026-02-30', /day that does not exist/],
  ['2026-12-01T25:00', /time of day/],
  ['2026-12-01T24:00Z', /time of day/],
  ['2026-12-31T23:59:60Z', /time of day/],
  ['20000-01-01T00:00Z', /ISO 8601/],
  ['2200-01-01T00:00[Europe/Berlin]', /between the years/],
  ['1969-12-31T23:59:59Z', /between the years/],
  ['2200-01-01T00:00Z', /between the years/],
  ['2026-00-01', /day that does not exist/],
  ['2026-13-01', /day that does not exist/],
  ['2026-12-00', /day that does not exist/],
  ['2026-12-01T09:60Z', /time of day/],
  ['2026-12-01T09:00+25:00', /offset/],
  ['2026-12-01T09:00+15:00', /offset/],
  ['2026-12-01T09:00+01:60', /offset/],
] as const) {
  test(`${text} is rejected with a sentence`, () => {
    assert.match(String(read(text)), problem);
  });
}

test('of a repeated local time the first is used with a warning; an offset selects one of them', () => {
  const twice = '2027-10-31T02:30';
  assert.deepEqual(read(`${twice}[Europe/Berlin]`), {
    at: '2027-10-31T00:30:00.000Z',
    zone: 'Europe/Berlin',
    isTwice: true,
  });
  assert.deepEqual(read(`${twice}+01:00[Europe/Berlin]`), {
    at: '2027-10-31T01:30:00.000Z',
    zone: 'Europe/Berlin',
    isTwice: false,
  });
});

test('any local time in any zone is read as the same instant', () => {
  const zones = Intl.supportedValuesOf('timeZone');
  const instants = fc.date({
    min: new Date('1973-01-01T00:00:00Z'),
    max: new Date('2190-01-01T00:00:00Z'),
    noInvalidDate: true,
  });
  fc.assert(
    fc.property(fc.constantFrom(...zones), instants, (zone, date) => {
      const instant = Math.floor(date.getTime() / 1000) * 1000;
      const time = readPublishTime(`${wallClock(instant, zone)}[${zone}]`);
      assert.ok(!('problem' in time), JSON.stringify(time));
      // Of a repeated hour, the first instant is used.
      const offBy = instant - time.at.getTime();
      assert.ok(time.isTwice ? offBy >= 0 && offBy <= 3 * 3_600_000 : offBy === 0, `${offBy} ms`);
      assert.ok(time.hasOffset);
    }),
    { numRuns: runs(300) },
  );
});

test('no text in or before the brackets makes it throw', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
      readPublishTime(`2027-03-01T09:00[${text}]`);
      readPublishTime(`2027-03-01T09:00${text}[Europe/Berlin]`);
      readPublishTime(text);
    }),
    { numRuns: runs(500) },
  );
});

/** The local time in the zone, from the calendar of the runtime. */
function wallClock(instant: number, timeZone: string): string {
  const parts = new Intl.DateTimeFormat('en-US-u-hc-h23-nu-latn-ca-iso8601', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  }).formatToParts(instant);
  const part = (type: string) => parts.find((one) => one.type === type)?.value ?? '';
  return `${part('year')}-${part('month')}-${part('day')}T${part('hour')}:${part('minute')}:${part('second')}`;
}
