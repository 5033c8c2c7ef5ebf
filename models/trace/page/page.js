// Goes through the steps of the trace that stands in the page: the state after each, its row, its address.
'use strict';
(() => {
  const trace = JSON.parse(document.getElementById('trace').textContent);
  const steps = trace.steps;
  const end = steps.length;
  const root = document.documentElement;
  const find = (id) => document.getElementById(id);
  const failure = trace.breaks_at ?? trace.found_at ?? end;
  root.classList.add('js');

  // --- folding: a section under a mutex is one row, unless the step that one is at lies inside ----------

  const folds = new Map();  // by step
  for (const body of document.querySelectorAll('tbody.fold')) {
    const numbers = [...body.querySelectorAll('tr[id]')].map((row) => Number(row.id.slice('step-'.length)));
    const fold = {body, first: numbers[0], last: numbers.at(-1)};
    for (const number of numbers) folds.set(number, fold);
  }
  const all = find('all');
  const folded = () => !all.checked;
  const isInside = (step) => folds.has(step) && step !== folds.get(step).last;
  const rowOf = (step) => {
    const fold = folds.get(step);
    if (folded() && fold && !isInside(step)) return fold.body.querySelector('tr.sum:not(.mark)');
    return find('step-' + step);
  };
  const firstOf = (step) => (folded() && folds.has(step) && !isInside(step) ? folds.get(step).first : step);
  const after = (step) => {
    const next = Math.min(step + 1, end);
    return folded() && folds.get(next)?.first === next && next > step ? folds.get(next).last : next;
  };
  const before = (step) => Math.max(firstOf(step) - 1, 0);

  // --- the state ----------------------------------------------------------------------------------------

  const values = trace.objects.map((object) => object.initial);
  const ever = new Set();  // the objects that have a value at some time
  trace.objects.forEach((object, number) => object.initial !== '' && ever.add(number));
  for (const step of steps) for (const change of step.changes) ever.add(change.object);
  let at = 0;

  function go(to) {
    for (; at < to; ++at) for (const change of steps[at].changes) values[change.object] = change.after;
    for (; at > to; --at) {
      for (const change of [...steps[at - 1].changes].reverse()) values[change.object] = change.before;
    }
  }
  const threadsAt = (step) => (step === 0 ? trace.at_start : steps[step - 1].threads);
  const invariantAt = (step) => (step === 0 ? trace.invariant_at_start : steps[step - 1].invariant);

  const clipped = (text) => (text.length > 400 ? text.slice(0, 400) + '\u2026' : text);
  function inWords(thread) {
    const object = thread.object < 0 ? '' : trace.objects[thread.object].name;
    if (thread.state === 'done') return 'done';
    if (thread.state === 'not_started') return 'not started';
    if (thread.state === 'waits') {
      if (!object) return 'waits';
      const held = thread.held_by === null ? '' : ', held by ' + trace.threads[thread.held_by];
      return 'waits for ' + object + held;
    }
    return object && thread.operation ? `awake; next: ${thread.operation} ${object}` : 'awake';
  }

  // Its name, and where several have it, the how manieth it is.
  const labels = [];
  const times = new Map();
  for (const object of trace.objects) {
    times.set(object.name, (times.get(object.name) ?? 0) + 1);
    labels.push(object.name + (times.get(object.name) > 1 ? ` (${times.get(object.name)})` : ''));
  }

  // What the steps from `first` on changed, and what each was before.
  function changedFrom(first, step) {
    const was = new Map();
    for (let i = first; i <= step; ++i) {
      for (const change of i === 0 ? [] : steps[i - 1].changes) {
        if (!was.has(change.object)) was.set(change.object, change.before);
      }
    }
    for (const [object, value] of was) if (value === values[object]) was.delete(object);
    return was;
  }

  // --- the panel ----------------------------------------------------------------------------------------

  function make(tag, attributes, ...content) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    element.append(...content);
    return element;
  }
  function line(name, value, was, attributes) {
    const row = make('tr', attributes, make('th', {scope: 'row'}, name), make('td', {}, make('span', {}, clipped(value))));
    if (was !== undefined) {
      row.classList.add('changed');
      row.lastChild.append(make('small', {}, 'was ' + (clipped(was) || 'nothing')));
    }
    return row;
  }
  function linked(text) {
    const parts = [];
    let told = 0;
    for (const match of text.matchAll(/\bstep (\d+)/g)) {
      if (Number(match[1]) > end || match[1] === '0') continue;
      parts.push(text.slice(told, match.index), make('a', {href: '#step-' + match[1]}, match[0]));
      told = match.index + match[0].length;
    }
    return [...parts, text.slice(told)];
  }

  function threadLines(first, step) {
    const earlier = threadsAt(Math.max(first - 1, 0));
    return threadsAt(step).map((thread, number) => {
      const now = inWords(thread);
      const then = inWords(earlier[number]);
      const was = step > 0 && thread.state !== earlier[number].state ? then : undefined;
      return line(trace.threads[number], now, was, {'data-thread': number});
    });
  }
  function invariantLines(step) {
    const now = invariantAt(step);
    const say = (holds) => (holds ? 'yes' : 'no');
    const verdict = make('tr', {'data-invariant': now.holds, class: now.holds ? '' : 'bad'},
      make('th', {scope: 'row'}, 'wake invariant'),
      make('td', {}, now.holds ? 'holds' : step === trace.breaks_at ? '\u2717 BREAKS here' : '\u2717 broken'));
    return [
      line('queue not empty', say(now.queue_nonempty), undefined, {'data-conjunct': 'queue_nonempty'}),
      line('consumer awake', say(now.consumer_awake), undefined, {'data-conjunct': 'consumer_awake'}),
      line('or wake in flight', say(now.wake_in_flight), undefined, {'data-conjunct': 'wake_in_flight'}),
      line('or put under way', say(now.put_under_way), undefined, {'data-conjunct': 'put_under_way'}),
      verdict,
    ];
  }
  function details(step) {
    if (step === 0) return '';
    const taken = steps[step - 1];
    const parts = [];
    if (taken.file) parts.push(`${taken.file}:${taken.line}, ${taken.function}`);
    if (taken.purpose) parts.push(`its order is called ${taken.purpose}`);
    const named = (number) => (number === 0 ? 'the start' : 'step ' + number);
    if (taken.read_from !== null) parts.push(`read what ${named(taken.read_from)} left`);
    if (taken.missed !== null) parts.push(`missed the newer value of ${named(taken.missed)}`);
    const others = taken.could_run.filter((thread) => thread !== taken.thread).map((thread) => trace.threads[thread]);
    if (others.length) parts.push('instead could have run: ' + others.join(', '));
    return parts.join('; ');
  }

  const sentences = [...document.querySelectorAll('#why .said')];
  function tell(first, step) {
    const about = trace.why.filter((sentence, number) => {
      const now = step > 0 && sentence.steps.some((one) => one >= first && one <= step);
      sentences[number]?.classList.toggle('now', now);
      return now;
    });
    return about.map((sentence) => make('p', {class: 'told'}, make('b', {}, sentence.word + ' '), ...linked(sentence.text)));
  }

  function show(step) {
    const first = firstOf(step);
    const was = changedFrom(first, step);
    const number = first === step ? `step ${step}` : `steps ${first} to ${step}`;
    const heading = step === 0 ? 'At the start' : `After ${number} of ${end}`;
    const head = step === 0 ? '' : rowOf(step).querySelector('.head').textContent;
    const who = step === 0 ? '' : trace.threads[steps[step - 1].thread] + ': ' + head;
    const objects = [...ever].sort((a, b) => a - b).map((object) =>
      line(labels[object], values[object], was.get(object), {'data-object': object}));
    find('state').replaceChildren(
      make('h2', {}, heading), make('p', {class: 'detail'}, who),
      make('table', {class: 'state'}, make('tbody', {}, ...threadLines(first, step)),
        make('tbody', {}, ...invariantLines(step)), make('tbody', {}, ...objects)),
      ...tell(first, step),
      make('p', {class: 'more'}, ...linked(details(step))));
    const changes = [...was].map(([object, before]) =>
      `${labels[object]} from ${clipped(before)} to ${clipped(values[object])}`);
    find('said').textContent = [heading, who, ...changes,
      'the wake invariant ' + (invariantAt(step).holds ? 'holds' : 'is broken')].filter(Boolean).join('; ');
    find('first').setAttribute('aria-disabled', step === 0);
    find('back').setAttribute('aria-disabled', step === 0);
    find('forward').setAttribute('aria-disabled', step === end);
    find('last').setAttribute('aria-disabled', step === end);
  }

  // --- going to a step ----------------------------------------------------------------------------------

  let current = 0;
  let marked = null;  // its row
  let noting = 0;     // the timer; a browser refuses addresses that change too often
  function noteNow() {
    if (noting === 0) return;
    clearTimeout(noting);
    noting = 0;
    history.replaceState(null, '', '#step-' + current);
  }
  function select(step, {scroll = true, note = true} = {}) {
    marked?.removeAttribute('aria-current');
    folds.get(current)?.body.classList.remove('open');
    current = step;
    go(step);
    if (folded() && isInside(step)) folds.get(step).body.classList.add('open');
    marked = rowOf(step);
    marked.setAttribute('aria-current', 'step');
    show(step);
    if (scroll) marked.scrollIntoView({block: 'nearest'});
    clearTimeout(noting);
    noting = note ? setTimeout(noteNow, 100) : 0;
  }
  function addressed() {
    const match = /^#step-(\d+)$/.exec(location.hash);
    return match && Number(match[1]) <= end ? Number(match[1]) : null;
  }
  function refold() {
    root.classList.toggle('all', all.checked);
    select(current, {note: false});
  }

  const buttons = {
    first: () => 0, back: () => before(current), forward: () => after(current), last: () => end, failure: () => failure,
  };
  for (const [id, target] of Object.entries(buttons)) find(id).addEventListener('click', () => select(target()));
  const keys = {Home: 'first', ArrowLeft: 'back', ArrowRight: 'forward', End: 'last', f: 'failure'};
  document.addEventListener('keydown', (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.isComposing) return;
    if (event.key === 'a') all.click();
    if (!(event.key in keys)) return;
    event.preventDefault();
    select(buttons[keys[event.key]]());
  });
  all.addEventListener('change', refold);

  document.addEventListener('click', (event) => {
    const link = event.target.closest('a[href^="#step-"]');
    if (link) {
      event.preventDefault();
      noteNow();
      history.pushState(null, '', link.getAttribute('href'));
      select(Number(link.getAttribute('href').slice('#step-'.length)), {note: false});
      return;
    }
    const row = event.target.closest('.steps tbody tr:not(.mark)');
    if (!row || event.target.closest('a, details') || String(getSelection())) return;
    const inside = row.id ? row : row.parentElement.querySelector('tr[id]:last-child');
    select(Number(inside.id.slice('step-'.length)), {scroll: false});
  });
  for (const kind of ['hashchange', 'popstate']) {
    addEventListener(kind, () => addressed() !== null && select(addressed(), {note: false}));
  }

  find('controls').hidden = false;
  root.classList.toggle('all', all.checked);
  const linkedTo = addressed();
  select(linkedTo ?? 0, {scroll: linkedTo !== null, note: false});
})();
