1;
% The protocol around one function of Octave: lines of inputs or, with the number of inputs in MAGNETO_BATCHES, batches of points.
% Answers go to the third file that is open: what the function prints is none.

function f = magneto_load(path, name)
  [folder, stem] = fileparts(path);
  addpath(folder);
  if strcmp(stem, name)
    if exist(name) ~= 2
      error('magneto:load', '%s is no file of a function', path);
    end
  else
    text = fileread(path);
    code = regexprep(text, '^(\s*([%#][^\n]*)?\n)*\s*', '');
    if strncmp(code, 'function', 8) || strncmp(code, 'classdef', 8)
      error('magneto:load', 'of the file of a function only that can be called, and %s is the file of %s', path, stem);
    end
    source(path);
    if exist(name) ~= 103
      error('magneto:load', '%s has no function %s', path, name);
    end
  end
  f = str2func(name);
end

function magneto_fits(name, arguments)
  takes = nargin(name);
  if takes > arguments || (takes >= 0 && takes < arguments) || (takes < 0 && arguments < -takes - 1)
    error('magneto:load', '%s takes %d arguments, and the specification has %d', name, abs(takes), arguments);
  end
  if nargout(name) == 0
    error('magneto:load', '%s returns nothing', name);
  end
end

% The arguments of these classes with these sizes, of which a number has none, that inputs are or are elements of, the last index
% changing fastest.
function all = magneto_gathered(inputs, sizes, classes)
  all = cell(1, numel(sizes));
  first = 1;
  for k = 1:numel(sizes)
    count = prod(sizes{k});
    all{k} = cast([inputs{first:first + count - 1}], classes{k});
    if numel(sizes{k}) > 1
      all{k} = permute(reshape(all{k}, fliplr(sizes{k})), numel(sizes{k}):-1:1);
    end
    first += count;
  end
end

% One of the results: of a function with so many outputs one of them, else an element of the array or list that it returns, row by row.
function y = magneto_one_of(f, inputs, place)
  if place.apart
    results = cell(1, place.count);
    [results{:}] = f(inputs{:});
    y = results{place.index};
    return
  end
  y = f(inputs{:});
  if place.count > 1
    if iscell(y)
      y = [y{:}];
    end
    if numel(y) ~= place.count
      error('Octave:magneto', 'it returned %s, and %d results are owed', magneto_shown(y), place.count);
    end
    y = y.';
    y = y(place.index);
  end
end

% What the function answers: 0 and a number, 3 and the words of a refusal, or 4 and those of a crash.
function [kind, answer] = magneto_ask(f, inputs, place)
  try
    y = magneto_one_of(f, magneto_gathered(inputs, place.sizes, place.classes), place);
    if ~(isnumeric(y) || islogical(y)) || ~isscalar(y)
      kind = 4;
      answer = sprintf('it returned %s, which is no number', magneto_shown(y));
    elseif iscomplex(y)
      kind = 4;
      answer = sprintf('it returned the complex number %.17g%+.17gi', real(y), imag(y));
    else
      kind = 0;
      answer = double(full(y));
    end
  catch e
    kind = 3;
    % A user's error has another identifier or none; so has an operator that is not there.
    if strncmp(e.identifier, 'Octave:', 7) || ~isempty(strfind(e.message, 'not implemented for'))
      kind = 4;
    end
    answer = magneto_words(e);
  end
end

function text = magneto_shown(y)
  text = sprintf('a %s of %s', class(y), strjoin(arrayfun(@num2str, size(y), 'UniformOutput', false), 'x'));
end

function text = magneto_words(e)
  text = strrep(strrep(e.message, "\n", ' '), "\r", ' ');
  if ~isempty(e.stack) && ~strncmp(e.stack(1).name, 'magneto_', 8)
    text = sprintf('%s (%s:%d)', text, e.stack(1).name, e.stack(1).line);
  end
  text = text(1:min(end, 400));
end

% A hexadecimal number such as -0x1.8p+1.
function x = magneto_number(word)
  is_negative = word(1) == '-';
  [digits, exponent] = strtok(word(3 + is_negative:end), 'p');
  point = index(digits, '.');
  behind = (point > 0) * (numel(digits) - point);
  x = hex2dec(strrep(digits, '.', '')) * 2 ^ (str2double(exponent(2:end)) - 4 * behind);
  if is_negative
    x = -x;
  end
end

% A line of the input, or -1 at its end. To see whether that is there fgetl would wait for what comes after the line.
function line = magneto_line()
  line = '';
  while true
    letter = fread(stdin, 1, 'uint8=>char');
    if isempty(letter)
      line = -1;
      return
    end
    if letter == "\n"
      return
    end
    line(end + 1) = letter;
  end
end

function magneto_lines(f, place, out)
  while ischar(line = magneto_line())
    inputs = cellfun(@magneto_number, strsplit(strtrim(line), ' '), 'UniformOutput', false);
    if isempty(strtrim(line))
      inputs = {};
    end
    [kind, answer] = magneto_ask(f, inputs, place);
    switch kind
      case 0
        fprintf(out, '%s\n', magneto_text(answer));
      case 3
        fprintf(out, 'error: %s\n', answer);
      case 4
        fprintf(out, 'crash: %s\n', answer);
    end
    fflush(out);
  end
end

function text = magneto_text(y)
  if isnan(y)
    text = 'nan';
  elseif isinf(y)
    text = {'-inf', 'inf'}{1 + (y > 0)};
  else
    text = sprintf('%.17g', y);
  end
end

function magneto_batches(f, inputs, place, out)
  while true
    head = fread(stdin, 5, 'uint8=>uint8');
    if numel(head) < 5
      return
    end
    count = double(typecast(head(2:5), 'uint32'));
    points = reshape(fread(stdin, inputs * count, 'double=>double'), inputs, count);
    written = tic;
    answers = cell(1, count);
    first = 1;
    for k = 1:count
      [kind, answer] = magneto_ask(f, num2cell(points(:, k)), place);
      if kind == 0
        answers{k} = [uint8(0), typecast(answer, 'uint8')];
      else
        answers{k} = [uint8(kind), typecast(uint64(numel(answer)), 'uint8'), uint8(answer)];
      end
      if head(1) || k == count || toc(written) > 0.02
        fwrite(out, [answers{first:k}]);
        fflush(out);
        first = k + 1;
        written = tic;
      end
    end
  end
end

function magneto_main(path, name, sizes, classes, index, count)
  out = fopen('/dev/fd/3', 'w');
  try
    f = magneto_load(path, name);
    magneto_fits(name, numel(sizes));
  catch e
    fprintf(out, 'error: the function cannot be loaded: %s\n', magneto_words(e));
    fclose(out);
    return
  end
  place = struct('index', index, 'count', count, 'apart', count > 1 && nargout(name) == count);
  place.sizes = sizes;
  place.classes = classes;
  inputs = sum(cellfun(@prod, sizes));
  fprintf(out, 'ready\n');
  fflush(out);
  if isempty(getenv('MAGNETO_BATCHES'))
    magneto_lines(f, place, out);
  else
    magneto_batches(f, inputs, place, out);
  end
end
