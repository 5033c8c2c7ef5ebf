// The page in a browser: what it shows is what the JSON says, at every step, by key and by button, from
// disk, with and without script.
//
//   node page_test.mjs WAKEPROOF FOLDER    FOLDER holds node_modules; traces and pages are written there
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {readFileSync, statSync, writeFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import path from 'node:path';
import {pathToFileURL} from 'node:url';

const [wakeproof, folder] = process.argv.slice(2).map((each) => path.resolve(each));
const require = createRequire(path.join(folder, 'package.json'));
const {chromium} = require('playwright-core');
const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

const kMutants = [
  'output_sink/missing_second_drain', 'output_sink/loop/missing_second_drain', 'output_sink/loop/two_sinks_emptied_late',
  'slot_sink/publish_release', 'output_sink/timed_missing_second_drain', 'output_sink/hook_under_lock',
];
const kTiny = ['no_step', 'one_step', 'two_steps'];  // of the corpus
const kPatience = 300_000;  // ms: a page of 100,000 steps on a busy machine
const kWide = {width: 1280, height: 800};
const kNarrow = {width: 390, height: 844};
const kMostBytes = 400_000;

function written(name, trace) {
  const from = path.join(folder, name + '.json');
  const to = path.join(folder, name + '.html');
  writeFileSync(from, JSON.stringify(trace));
  execFileSync(wakeproof, ['explain', '--from', from, '--format', 'html', '-o', to], {stdio: 'inherit'});
  return {trace, file: to, url: pathToFileURL(to).href};
}
function explained(mutant) {
  const json = execFileSync(wakeproof, ['explain', mutant, '--format', 'json'], {maxBuffer: 1 << 26});
  return written(mutant.replaceAll('/', '.'), JSON.parse(json));
}

// A page that must neither complain nor fetch anything.
async function opened(browser, url, options = {}) {
  const context = await browser.newContext({viewport: kWide, ...options});
  const page = await context.newPage();
  page.setDefaultTimeout(kPatience);
  const wrong = [];
  page.on('console', (message) => ['error', 'warning'].includes(message.type()) && wrong.push(message.text()));
  page.on('pageerror', (error) => wrong.push(String(error)));
  page.on('request', (request) => {
    if (!request.url().startsWith('file:') && !request.url().startsWith('data:')) wrong.push('asks for ' + request.url());
  });
  await page.goto(url);
  return {page, done: async () => { assert.deepEqual(wrong, []); await context.close(); }};
}

// --- what the JSON says of a step -------------------------------------------------------------------------

function valuesAt(trace, step) {
  const values = trace.objects.map((object) => object.initial);
  for (const taken of trace.steps.slice(0, step)) for (const change of taken.changes) values[change.object] = change.after;
  return values;
}
function threadInWords(trace, thread) {
  const name = thread.object < 0 ? '' : trace.objects[thread.object].name;
  const held = thread.held_by === null ? '' : ', held by ' + trace.threads[thread.held_by];
  switch (thread.state) {
    case 'done': return 'done';
    case 'not_started': return 'not started';
    case 'waits': return 'waits for ' + name + held;
    default: return name && thread.operation ? `awake; next: ${thread.operation} ${name}` : 'awake';
  }
}

// The panel and the row that is marked, as the page shows them.
function shown(page) {
  return page.evaluate(() => {
    const first = (row) => row.querySelector('td span').textContent;
    const list = (kind) => [...document.querySelectorAll(`#state tr[data-${kind}]`)];
    const marked = [...document.querySelectorAll('[aria-current]')];
    return {
      heading: document.querySelector('#state h2').textContent,
      objects: list('object').map((row) => [Number(row.dataset.object), first(row), row.classList.contains('changed')]),
      threads: list('thread').map(first),
      conjuncts: Object.fromEntries(list('conjunct').map((row) => [row.dataset.conjunct, first(row) === 'yes'])),
      holds: document.querySelector('#state tr[data-invariant]').dataset.invariant === 'true',
      marked: marked.map((row) => ({
        number: row.querySelector('.no').firstChild.textContent, visible: row.getClientRects().length > 0,
        ribbon: [...row.querySelectorAll('.q, .a, .w, .p')].map((cell) => cell.textContent === 'yes'),
        verdict: row.querySelector('.i').textContent, share: row.querySelector('.s').textContent,
      })),
      said: document.querySelector('#said').textContent,
    };
  });
}

function checkAgrees(trace, first, step, page) {
  const where = `${trace.scenario} after step ${step}`;
  const values = valuesAt(trace, step);
  const earlier = valuesAt(trace, Math.max(first - 1, 0));
  for (const [object, value, changed] of page.objects) {
    assert.equal(value, values[object], `${where}: ${trace.objects[object].name}`);
    assert.equal(changed, step > 0 && values[object] !== earlier[object], `${where}: mark of ${trace.objects[object].name}`);
  }
  const known = page.objects.map(([object]) => object);
  values.forEach((value, object) => value !== '' && assert.ok(known.includes(object), `${where}: ${object} is missing`));
  const threads = step === 0 ? trace.at_start : trace.steps[step - 1].threads;
  assert.deepEqual(page.threads, threads.map((thread) => threadInWords(trace, thread)), where);
  const {holds, ...conjuncts} = step === 0 ? trace.invariant_at_start : trace.steps[step - 1].invariant;
  assert.deepEqual(page.conjuncts, conjuncts, where);
  assert.equal(page.holds, holds, where);
  assert.equal(page.marked.length, 1, where);
  const [row] = page.marked;
  assert.ok(row.visible, `${where}: its row is not to be seen`);
  assert.equal(row.number, step === 0 ? 'start' : first === step ? String(step) : `${first}\u2013${step}`, where);
  assert.deepEqual(row.ribbon, [conjuncts.queue_nonempty, conjuncts.consumer_awake, conjuncts.wake_in_flight,
    conjuncts.put_under_way], where);
  assert.match(row.verdict, holds ? /^holds$/ : step === trace.breaks_at ? /BREAKS/ : /broken|BREAKS/, where);
  const share = trace.no_return?.shares[step];
  assert.equal(row.share, share ? `${share.failing} of ${share.all}${share.capped ? '+' : ''}` : '', where);
  assert.ok(page.said.includes(holds ? 'invariant holds' : 'invariant is broken'), where);
}

// --- the tests --------------------------------------------------------------------------------------------

async function everyStep({browser, trace, url}) {
  const {page, done} = await opened(browser, url);
  checkAgrees(trace, 0, 0, await shown(page));
  await page.locator('#all').check();
  for (let step = 1; step <= trace.steps.length; ++step) {
    await page.keyboard.press('ArrowRight');
    checkAgrees(trace, step, step, await shown(page));
  }
  await page.keyboard.press('ArrowRight');  // there is nothing beyond the end
  for (let step = trace.steps.length - 1; step >= 0; --step) {
    await page.locator('#back').click();
    checkAgrees(trace, step, step, await shown(page));
  }
  for (let step = 1; step <= trace.steps.length; ++step) {
    await page.locator('#forward').click();
    checkAgrees(trace, step, step, await shown(page));
  }
  for (let step = trace.steps.length - 1; step >= 0; --step) {
    await page.keyboard.press('ArrowLeft');
    checkAgrees(trace, step, step, await shown(page));
  }
  await done();
}

async function folded({browser, trace, url}) {
  const {page, done} = await opened(browser, url);
  let rows = 0;
  for (let before = 0; before < trace.steps.length; ++rows) {
    await page.keyboard.press('ArrowRight');
    const now = await shown(page);
    const step = Number(now.marked[0].number.split('\u2013').at(-1));
    assert.ok(step > before, trace.scenario);
    checkAgrees(trace, before + 1, step, now);
    before = step;
  }
  for (let left = rows; left > 0; --left) await page.keyboard.press('ArrowLeft');
  checkAgrees(trace, 0, 0, await shown(page));
  const foldable = trace.steps.some((step, at) => step.operation === 'lock' && trace.steps[at + 1]?.operation === 'unlock'
    && trace.steps[at + 1].thread === step.thread);
  if (foldable) assert.ok(rows < trace.steps.length, 'nothing is folded');
  const visible = () => page.locator('.steps tr:not(.mark)[id]:visible').count();
  await page.keyboard.press('a');
  assert.equal(await visible(), trace.steps.length + 1);
  await page.keyboard.press('a');
  if (foldable) assert.ok(await visible() < trace.steps.length + 1);
  await done();
}

async function goingThere({browser, trace, url}) {
  const failure = trace.breaks_at ?? trace.found_at ?? trace.steps.length;
  const heading = (step, page) => page.locator('#state h2', {hasText: new RegExp(`(step|to) ${step} of`)}).waitFor();
  const {page, done} = await opened(browser, url + '#step-3');
  await heading(3, page);
  const there = await shown(page);
  checkAgrees(trace, Number.parseInt(there.marked[0].number, 10), 3, there);
  const isInView = () => page.locator('[aria-current]').evaluate((row) => {
    const {top, bottom} = row.getBoundingClientRect();
    return top >= 0 && bottom <= innerHeight;
  });
  assert.ok(await isInView(), 'the row of the address is not in view');
  await page.locator('#failure').click();
  await heading(failure, page);
  await page.waitForURL(new RegExp(`#step-${failure}$`));
  await page.keyboard.press('Home');
  assert.equal(await page.locator('#state h2').textContent(), 'At the start');
  await page.keyboard.press('f');
  await heading(failure, page);
  await page.keyboard.press('End');
  await heading(trace.steps.length, page);
  const link = page.locator('#why a[href^="#step-"]').first();
  const target = (await link.getAttribute('href')).slice('#step-'.length);
  await link.click();
  await heading(target, page);
  assert.ok(await isInView(), 'the row of the link is not in view');
  assert.ok(page.url().endsWith('#step-' + target));
  await page.goBack();
  await heading(trace.steps.length, page);
  const row = page.locator('.steps tr#step-1, .steps tbody:has(#step-1) tr.sum').locator('visible=true').first();
  await row.click();
  assert.equal(await page.locator('[aria-current]').count(), 1);
  await done();
}

async function widths({browser, url}) {
  for (const viewport of [kWide, kNarrow]) {
    for (const javaScriptEnabled of [true, false]) {
      const context = await browser.newContext({viewport, javaScriptEnabled});
      const page = await context.newPage();
      await page.goto(url + '#step-2');
      const wide = await page.locator('html').evaluate((html) => html.scrollWidth).catch(() => null);
      // Without script the page cannot be asked, but what it shows can be measured.
      const box = wide ?? (await page.locator('main').boundingBox()).width;
      assert.ok(box <= viewport.width, `${box} pixels wide at ${viewport.width}`);
      await context.close();
    }
  }
}

async function withoutScript({browser, trace, url}) {
  const {page, done} = await opened(browser, url + '#step-2', {javaScriptEnabled: false});
  assert.equal(await page.locator('#controls').isVisible(), false);
  await page.locator('#all').check();
  assert.equal(await page.locator('.steps tr[id]:visible').count(), trace.steps.length + 1);
  for (const step of trace.steps) {
    const row = page.locator('#step-' + step.number);
    const text = await row.innerText();
    assert.ok(text.includes(step.operation + ' ' + trace.objects[step.object].name), text);
    const column = await row.locator('td.who:not(:empty)').evaluate((cell) => cell.cellIndex).catch(() => null);
    if (column !== null && trace.threads.length <= 4) assert.equal(column, step.thread + 1);
  }
  await page.locator('#all').uncheck();
  assert.ok(await page.locator('#step-2').isVisible(), 'the step of the address is folded away');
  assert.ok((await page.locator('#state').innerText()).includes('At the end'));
  await done();
}

async function accessible({browser, url}) {
  for (const colorScheme of ['light', 'dark']) {
    for (const viewport of [kWide, kNarrow]) {
      const {page, done} = await opened(browser, url + '#step-2', {colorScheme, viewport});
      await page.evaluate(axe);
      const {violations} = await page.evaluate(() => globalThis.axe.run());
      const grave = violations.filter(({impact}) => ['serious', 'critical'].includes(impact));
      assert.deepEqual(grave.map(({id, nodes}) => [id, nodes[0].html, nodes[0].failureSummary]), [], colorScheme);
      await done();
    }
  }
}

async function printed({browser, url}) {
  const {page, done} = await opened(browser, url, {colorScheme: 'dark'});
  await page.emulateMedia({media: 'print'});
  for (const kind of ['#panel', 'label.fold', '.keys']) {
    assert.equal(await page.locator(kind).isVisible(), false, kind + ' is printed');
  }
  assert.equal(await page.locator('body').evaluate((body) => getComputedStyle(body).backgroundColor), 'rgb(255, 255, 255)');
  assert.ok(await page.locator('.steps').first().isVisible());
  await done();
}

// Names and values that would be markup, a script's end or no text at all.
async function hostile({browser}, {trace}) {
  const evil = '</script><script>document.title = "taken"</script><img src=x onerror=alert(1)> \u2028 "\'&amp; <!--';
  const copy = structuredClone(trace);
  copy.story = copy.detail = evil;
  copy.scenario = evil;
  copy.threads = copy.threads.map((name) => name + evil);
  copy.objects.forEach((object) => { object.name += evil; });
  copy.mutations = [evil];
  copy.why.forEach((sentence) => { sentence.text += evil; });
  const {url} = written('hostile', copy);
  const {page, done} = await opened(browser, url, {viewport: kNarrow});
  assert.equal(await page.locator('.story').textContent(), evil);
  assert.notEqual(await page.title(), 'taken');
  assert.equal(await page.locator('img').count(), 0);
  await page.keyboard.press('ArrowRight');
  assert.equal(JSON.parse(await page.locator('#trace').textContent()).story, evil);
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth) <= kNarrow.width);
  await done();
}

async function enormous({browser}, {trace}, count) {
  const copy = structuredClone(trace);
  copy.steps = [];
  for (let number = 1; number <= count; ++number) {
    const {thread, choices} = trace.steps[(number - 1) % trace.steps.length];
    copy.steps.push({...trace.steps[(number - 1) % trace.steps.length], number, read_from: null, missed: null,
      known: trace.threads.map(() => 0), could_read: [], thread, choices});
  }
  copy.choices = copy.steps.flatMap((step) => step.choices);
  Object.assign(copy, {no_return: null, passing: null, found_at: count, breaks_at: null, waiting: [], why: []});
  const {url} = written('enormous', copy);
  const {page, done} = await opened(browser, url + '#step-' + (count - 1));
  await page.locator('#state h2', {hasText: `of ${count}`}).waitFor();
  await page.locator('#failure').click();
  await page.locator('#state h2', {hasText: `${count} of ${count}`}).waitFor();
  await page.keyboard.press('Home');
  for (let presses = 0; presses < 5; ++presses) await page.keyboard.press('ArrowRight');
  assert.equal(await page.locator('[aria-current]').count(), 1);
  await done();
}

// The pages around the traces: an index, a proved scenario, a mutant with what differs.
async function book({browser}) {
  const to = path.join(folder, 'book');
  execFileSync(wakeproof, ['book', to, '--source', new URL('../../..', import.meta.url).pathname]);
  for (const name of ['index', 'output_sink.correct', 'slot_sink.publish_release']) {
    const {href} = pathToFileURL(path.join(to, name + '.html'));
    await accessible({browser, url: href});
    await widths({browser, url: href});
  }
  const {page, done} = await opened(browser, pathToFileURL(path.join(to, 'index.html')).href);
  await page.locator('#figure tr', {hasText: "t4'"}).getByRole('link').click();
  await page.locator('#state h2', {hasText: 'After'}).waitFor();
  assert.equal(await page.locator('[data-invariant]').getAttribute('data-invariant'), 'false');
  await page.getByRole('link', {name: 'all scenarios'}).click();
  await page.locator('#figure').waitFor();
  await done();
}

async function main() {
  const browser = await chromium.launch({executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox']});
  const tests = {everyStep, folded, goingThere, widths, withoutScript, accessible, printed};
  let failures = 0;
  const attempt = async (name, test) => {
    const begin = performance.now();
    try {
      await test();
      console.log(`ok      ${name} (${Math.round(performance.now() - begin)} ms)`);
    } catch (error) {
      ++failures;
      console.log(`FAILED  ${name}: ${error.stack}`);
    }
  };
  const pages = kMutants.map(explained);
  for (const each of pages) {
    await attempt(`${each.trace.scenario}: under ${kMostBytes} bytes`,
      async () => assert.ok(statSync(each.file).size < kMostBytes, String(statSync(each.file).size)));
    for (const [name, test] of Object.entries(tests)) {
      await attempt(`${each.trace.scenario}: ${name}`, () => test({browser, ...each}));
    }
  }
  for (const name of kTiny) {
    const corpus = new URL('../corpus/' + name + '.json', import.meta.url);
    const tiny = written(name, JSON.parse(readFileSync(corpus, 'utf8')));
    for (const test of [everyStep, folded, accessible]) {
      await attempt(`a trace of ${name}: ${test.name}`, () => test({browser, ...tiny}));
    }
  }
  await attempt('hostile names', () => hostile({browser}, pages[0]));
  await attempt('the book', () => book({browser}));
  await attempt('100000 steps', () => enormous({browser}, pages[0], 100_000));
  await browser.close();
  if (failures > 0) {
    console.log(`page: ${failures} failed`);
    process.exit(1);
  }
  console.log(`page: ${pages.length} counterexamples as the JSON says`);
}
await main();
