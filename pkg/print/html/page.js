// All data is in the document. Nothing here makes markup of text, and nothing is loaded.
'use strict';

function button(text, label, act) {
  const made = document.createElement('button');
  made.type = 'button';
  made.textContent = text;
  if (label) made.setAttribute('aria-label', label);
  made.addEventListener('click', act);
  return made;
}

// Commands can be copied, or are selected where the browser doesn't let pages copy.
for (const command of document.querySelectorAll('.command')) {
  const code = command.querySelector('code');
  const copy = button('Copy', '', async () => {
    try {
      await navigator.clipboard.writeText(code.textContent);
      copy.textContent = 'Copied';
      setTimeout(() => { copy.textContent = 'Copy'; }, 2000);
    } catch {
      getSelection().selectAllChildren(code);
    }
  });
  command.append(copy);
}

for (const picture of document.querySelectorAll('.picture')) {
  const view = picture.querySelector('.view');
  const svg = view.querySelector('svg');
  const boxes = [...svg.querySelectorAll('.box')];
  const width = svg.viewBox.baseVal.width;
  const height = svg.viewBox.baseVal.height;
  const details = (box) => document.getElementById(box.dataset.details);
  let scale = 1;

  function zoom(to) {
    const x = (view.scrollLeft + view.clientWidth / 2) / scale;
    const y = (view.scrollTop + view.clientHeight / 2) / scale;
    scale = Math.min(3, Math.max(0.2, to));
    svg.setAttribute('width', width * scale);
    svg.setAttribute('height', height * scale);
    view.scrollTo(x * scale - view.clientWidth / 2, y * scale - view.clientHeight / 2);
  }

  function fit() {
    const room = picture.clientWidth - 2;
    zoom(Math.max(0.2, Math.min(1, room / width)));
    view.scrollTo(0, 0);
  }

  function select(box) {
    for (const other of boxes) {
      other.setAttribute('aria-pressed', String(other === box));
      details(other).hidden = other !== box;
    }
  }

  function show(box) {
    select(box);
    if (details(box).getBoundingClientRect().top > innerHeight - 80) details(box).scrollIntoView({ block: 'nearest' });
  }

  // Only a press that doesn't move is a click: dragging moves the picture.
  let dragged = false;
  view.addEventListener('pointerdown', (press) => {
    dragged = false;
    if (press.pointerType !== 'mouse' || press.button !== 0) return;
    const from = { x: press.clientX + view.scrollLeft, y: press.clientY + view.scrollTop };
    const move = (event) => {
      dragged = dragged || Math.hypot(event.clientX - press.clientX, event.clientY - press.clientY) > 4;
      view.scrollTo(from.x - event.clientX, from.y - event.clientY);
    };
    const end = () => removeEventListener('pointermove', move);
    addEventListener('pointermove', move);
    addEventListener('pointerup', end, { once: true });
    addEventListener('pointercancel', end, { once: true });
  });
  view.addEventListener('wheel', (event) => {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    zoom(scale * Math.exp(-event.deltaY / 300));
  }, { passive: false });

  for (const box of boxes) {
    box.setAttribute('role', 'button');
    box.setAttribute('tabindex', '0');
    box.setAttribute('aria-controls', box.dataset.details);
    box.addEventListener('click', () => { if (!dragged) show(box); });
    box.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' && event.key !== ' ') return;
      event.preventDefault();
      show(box);
    });
  }

  const bar = document.createElement('div');
  bar.className = 'bar';
  bar.append(button('+', 'Zoom in', () => zoom(scale * 1.25)), button('−', 'Zoom out', () => zoom(scale / 1.25)),
    button('100%', 'Original size', () => zoom(1)), button('Fit', 'Fit to the width', fit));
  view.before(bar);
  picture.querySelector('.objects').setAttribute('aria-live', 'polite');
  select(boxes.find((box) => 'first' in details(box).dataset) || boxes[0]);
  if (width > picture.clientWidth) zoom(Math.max(0.62, picture.clientWidth / width));
  view.scrollTo(0, 0);
}

// Paper has no folds.
addEventListener('beforeprint', () => {
  for (const one of document.querySelectorAll('details')) one.open = true;
});
