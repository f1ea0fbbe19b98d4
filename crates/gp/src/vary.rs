//! Crossover and mutation that respect types and limits.

use crate::generate::{self, Method};
use crate::rng::Rng;
use crate::{Constants, CrossoverPoints, Genome, GenomeLayout, Node, Operator, Operators, Primitives, Tree, Type};
use rand::RngExt;
use std::ops::Range;

/// Number of attempts to find a place within the limits.
const TRIES: u32 = 8;

/// Depth of the random trees that mutation inserts, if there is room for them.
const MUTATION_DEPTH: u32 = 4;

/// Creates children of individuals that passed their [check](Genome::check). Every operator chooses a tree uniformly, then a place
/// in it. If an operator finds no place, the child is a copy.
#[derive(Clone, Copy, Debug)]
pub struct Breeder<'a> {
    /// Building blocks of trees.
    pub primitives: &'a Primitives,
    /// Trees of an individual and their limits.
    pub layout: &'a GenomeLayout,
    /// Probabilities of the operators.
    pub operators: &'a Operators,
    /// Trees that mutation may insert.
    pub stock: &'a [Tree],
}

impl Breeder<'_> {
    /// Creates a child of one or two parents. Each call of `select` returns a parent.
    pub fn child<'g>(&self, select: impl FnMut(&mut Rng) -> &'g Genome, rng: &mut Rng) -> Genome {
        self.breed(select, rng).0
    }

    /// Creates a child like [`child`](Self::child), and returns the operator that was applied.
    pub fn breed<'g>(&self, mut select: impl FnMut(&mut Rng) -> &'g Genome, rng: &mut Rng) -> (Genome, Operator) {
        let Operators { reproduction, crossover, .. } = *self.operators;
        let parent = select(rng);
        let dice = rng.random::<f64>();
        let child = if dice < reproduction {
            None
        } else if dice < reproduction + crossover {
            let donor = select(rng);
            self.crossed(parent, donor, rng)
        } else {
            self.mutated(parent, rng)
        };
        child.unwrap_or_else(|| (parent.clone(), Operator::Copy))
    }

    /// Crossover: the first parent with a part of the second, a group or a subtree.
    pub fn crossover(&self, receiver: &Genome, donor: &Genome, rng: &mut Rng) -> Genome {
        self.crossed(receiver, donor, rng).map_or_else(|| receiver.clone(), |(child, _)| child)
    }

    /// Mutation: the parent changed by one operator, drawn by their probabilities.
    pub fn mutate(&self, parent: &Genome, rng: &mut Rng) -> Genome {
        self.mutated(parent, rng).map_or_else(|| parent.clone(), |(child, _)| child)
    }

    fn crossed(&self, receiver: &Genome, donor: &Genome, rng: &mut Rng) -> Option<(Genome, Operator)> {
        let of_groups = rng.random::<f64>() < self.operators.group_crossover;
        let child = if of_groups { self.cross_groups(receiver, donor, rng) } else { None };
        child
            .map(|child| (child, Operator::GroupCrossover))
            .or_else(|| Some((self.cross_subtrees(receiver, donor, rng)?, Operator::SubtreeCrossover)))
    }

    fn mutated(&self, parent: &Genome, rng: &mut Rng) -> Option<(Genome, Operator)> {
        let Operators { group_mutation, constant_mutation, hoist_mutation, shrink_mutation, insert_mutation, .. } =
            *self.operators;
        let mut dice = rng.random::<f64>();
        let mut falls_to = |share: f64| {
            dice -= share;
            dice < 0.0
        };
        let (child, operator) = if falls_to(group_mutation) {
            (self.swap_groups(parent, rng), Operator::GroupMutation)
        } else if falls_to(constant_mutation) {
            (self.change_constants(parent, rng), Operator::ConstantMutation)
        } else if falls_to(hoist_mutation) {
            (self.hoist(parent, rng), Operator::HoistMutation)
        } else if falls_to(shrink_mutation) {
            (self.shrink(parent, rng), Operator::ShrinkMutation)
        } else if falls_to(insert_mutation) {
            (self.insert(parent, rng), Operator::InsertMutation)
        } else {
            (None, Operator::SubtreeMutation)
        };
        child
            .map(|child| (child, operator))
            .or_else(|| Some((self.change_subtree(parent, rng)?, Operator::SubtreeMutation)))
    }

    /// Replaces a subtree by one of the donor of the same type.
    pub fn cross_subtrees(&self, receiver: &Genome, donor: &Genome, rng: &mut Rng) -> Option<Genome> {
        (0..TRIES).find_map(|_| {
            let number = pick(0..receiver.trees.len(), rng)?;
            let tree = &receiver.trees[number];
            let at = self.crossing(tree, |_| true, rng)?;
            let place = tree.subtree(self.primitives, at);
            let wanted = self.type_at(tree, &place);
            let holds = |tree: &&Tree| tree.types(self.primitives).any(|kind| kind == wanted);
            let from = pick(donor.trees.iter().filter(holds), rng)?;
            let fits = |at: usize| self.primitives.output(from.nodes[at].primitive) == wanted;
            let at = if self.operators.places == CrossoverPoints::Levels {
                let (levels, least) = (from.levels(self.primitives), tree.levels(self.primitives)[at]);
                self.crossing(from, |at| fits(at) && levels[at] >= least, rng)?
            } else {
                self.crossing(from, fits, rng)?
            };
            self.splice(receiver, number, place, &from.nodes[from.subtree(self.primitives, at)])
        })
    }

    /// Replaces a group by one of the donor of the same types.
    pub fn cross_groups(&self, receiver: &Genome, donor: &Genome, rng: &mut Rng) -> Option<Genome> {
        let to = pick(self.layout.groups.iter(), rng)?.clone();
        let from = pick(self.alike(&to), rng)?.clone();
        let mut child = receiver.clone();
        child.trees[to].clone_from_slice(&donor.trees[from]);
        Some(child)
    }

    /// Swaps two groups of the same types.
    pub fn swap_groups(&self, parent: &Genome, rng: &mut Rng) -> Option<Genome> {
        let has_others = |group: &&Range<usize>| self.alike(group).nth(1).is_some();
        let a = pick(self.layout.groups.iter().filter(has_others), rng)?;
        let b = pick(self.alike(a).filter(|b| *b != a), rng)?;
        let mut child = parent.clone();
        a.clone().zip(b.clone()).for_each(|(a, b)| child.trees.swap(a, b));
        Some(child)
    }

    /// Groups of the same types, including the group itself.
    fn alike(&self, group: &Range<usize>) -> impl Iterator<Item = &Range<usize>> + Clone {
        let roots = &self.layout.roots;
        let types = &roots[group.clone()];
        self.layout.groups.iter().filter(move |other| roots[(*other).clone()] == *types)
    }

    /// Replaces a subtree by a random one.
    pub fn change_subtree(&self, parent: &Genome, rng: &mut Rng) -> Option<Genome> {
        (0..TRIES).find_map(|_| {
            let (number, place) = self.place(parent, rng)?;
            let tree = &parent.trees[number];
            let above = tree.levels(self.primitives)[place.start] - 1;
            let room = self.layout.size - (tree.size() - place.len());
            let planted = self.planted(self.type_at(tree, &place), self.layout.depth - above, room, rng)?;
            self.splice(parent, number, place, &planted.nodes)
        })
    }

    /// Inserts a new function of its type above a subtree, which becomes one of its arguments; the others are new.
    pub fn insert(&self, parent: &Genome, rng: &mut Rng) -> Option<Genome> {
        (0..TRIES).find_map(|_| {
            let (number, place) = self.place(parent, rng)?;
            let tree = &parent.trees[number];
            let wanted = self.type_at(tree, &place);
            let below = self.layout.depth - tree.levels(self.primitives)[place.start];
            let room = self.layout.size - tree.size();
            let function = self.primitives.function(wanted, self.layout.depth, self.layout.size, rng)?;
            let inputs = &self.primitives.all()[usize::from(function)].inputs;
            let fitting = (0..inputs.len()).filter(|&input| inputs[input] == wanted);
            let kept = pick(fitting, rng)?;
            let mut nodes = vec![Node { primitive: function, value: 0.0 }];
            for (input, &kind) in inputs.iter().enumerate() {
                if input == kept {
                    nodes.extend_from_slice(&tree.nodes[place.clone()]);
                } else {
                    nodes.extend(self.planted(kind, below, room, rng)?.nodes);
                }
            }
            self.splice(parent, number, place, &nodes)
        })
    }

    /// Creates a subtree to insert: from the stock, or a random one of small depth.
    fn planted(&self, kind: Type, depth: u32, size: usize, rng: &mut Rng) -> Option<Tree> {
        let fits = |tree: &&Tree| self.primitives.output(tree.nodes[0].primitive) == kind;
        let mut fitting = self.stock.iter().filter(fits).peekable();
        if fitting.peek().is_some() && rng.random::<f64>() < self.operators.stock {
            return pick(fitting, rng).cloned();
        }
        let depths = rng.random_range(1..=MUTATION_DEPTH).min(depth)..=depth;
        depths.into_iter().find_map(|depth| generate::tree(self.primitives, kind, Method::Grow, depth, size, rng))
    }

    /// Replaces a subtree by a part of itself.
    pub fn hoist(&self, parent: &Genome, rng: &mut Rng) -> Option<Genome> {
        (0..TRIES).find_map(|_| {
            let (number, place) = self.place(parent, rng)?;
            let tree = &parent.trees[number];
            let wanted = self.type_at(tree, &place);
            let mut inside = place.clone();
            inside.next();
            let fitting = inside.filter(|&at| self.primitives.output(tree.nodes[at].primitive) == wanted);
            let part = tree.subtree(self.primitives, pick(fitting, rng)?);
            self.splice(parent, number, place, &tree.nodes[part])
        })
    }

    /// Replaces a subtree of more than one node by a terminal.
    pub fn shrink(&self, parent: &Genome, rng: &mut Rng) -> Option<Genome> {
        (0..TRIES).find_map(|_| {
            let (number, place) = self.place(parent, rng).filter(|(_, place)| place.len() > 1)?;
            let primitive = self.primitives.terminal(self.type_at(&parent.trees[number], &place), rng)?;
            let value = self.primitives.draw(primitive, rng);
            self.splice(parent, number, place, &[Node { primitive, value }])
        })
    }

    /// Changes one constant, and each of the others with a probability such that about one more changes.
    pub fn change_constants(&self, parent: &Genome, rng: &mut Rng) -> Option<Genome> {
        let is_constant = |node: &Node| self.primitives.all()[usize::from(node.primitive)].constants.is_some();
        let count = parent.trees.iter().flat_map(|tree| &tree.nodes).filter(|node| is_constant(node)).count();
        let holds = |number: &usize| parent.trees[*number].nodes.iter().any(is_constant);
        let number = pick((0..parent.trees.len()).filter(holds), rng)?;
        let nodes = &parent.trees[number].nodes;
        let at = pick((0..nodes.len()).filter(|&at| is_constant(&nodes[at])), rng)?;
        let mut child = parent.clone();
        for (tree, each) in child.trees.iter_mut().enumerate() {
            for (index, node) in each.nodes.iter_mut().enumerate() {
                let chosen = (tree, index) == (number, at);
                if is_constant(node) && (chosen || rng.random::<f64>() * (count as f64) < 1.0) {
                    node.value = self.changed(*node, rng);
                }
            }
        }
        Some(child)
    }

    /// Returns another value for a constant: a new one, or the old one times a factor that halves as often as it doubles, or moved
    /// equally in both directions. Uses only arithmetic that gives the same results on every machine.
    fn changed(&self, node: Node, rng: &mut Rng) -> f64 {
        let jitter = self.operators.jitter;
        if jitter <= 0.0 {
            return self.primitives.draw(node.primitive, rng);
        }
        let step = jitter * gaussian(rng);
        let value = if rng.random_bool(0.5) {
            if step >= 0.0 { node.value * (1.0 + step) } else { node.value / (1.0 - step) }
        } else {
            node.value + step * self.scale(node)
        };
        readable(value)
    }

    /// Magnitude of a constant: its own, but at least the smallest value that it was drawn from, so that zero can
    /// change too.
    fn scale(&self, node: Node) -> f64 {
        let smallest = match &self.primitives.all()[usize::from(node.primitive)].constants {
            Some(Constants::OneOf(numbers)) => {
                numbers.iter().map(|number| number.abs()).filter(|&size| size > 0.0).fold(f64::INFINITY, f64::min)
            }
            None => f64::INFINITY,
        };
        if smallest.is_finite() { smallest.max(node.value.abs()) } else { node.value.abs().max(1.0) }
    }

    /// Chooses a crossover point among some nodes of a tree.
    fn crossing(&self, tree: &Tree, among: impl Fn(usize) -> bool + Clone, rng: &mut Rng) -> Option<usize> {
        match self.operators.places {
            CrossoverPoints::Kinds => self.pick_node(tree, among, rng),
            CrossoverPoints::Descent => Some(self.descend(tree, rng)).filter(|&at| among(at)),
            CrossoverPoints::Levels => {
                let levels = tree.levels(self.primitives);
                let held = |level: &u32| (0..tree.size()).any(|at| levels[at] == *level && among(at));
                let deepest = levels.iter().copied().max().unwrap_or(0);
                let level = pick((1..=deepest).filter(held), rng)?;
                pick((0..tree.size()).filter(|&at| levels[at] == level && among(at)), rng)
            }
        }
    }

    /// Descends from the root until it stops by chance or reaches a terminal.
    fn descend(&self, tree: &Tree, rng: &mut Rng) -> usize {
        let mut at = 0;
        loop {
            let arguments = self.primitives.arity(tree.nodes[at].primitive);
            let choice = rng.random_range(0..=arguments);
            if choice == arguments {
                return at;
            }
            at += 1;
            for _ in 0..choice {
                at = tree.subtree(self.primitives, at).end;
            }
        }
    }

    /// Chooses a random subtree: the number of its tree, and its nodes.
    fn place(&self, genome: &Genome, rng: &mut Rng) -> Option<(usize, Range<usize>)> {
        let number = pick(0..genome.trees.len(), rng)?;
        let tree = &genome.trees[number];
        let at = self.pick_node(tree, |_| true, rng)?;
        Some((number, tree.subtree(self.primitives, at)))
    }

    /// Chooses a random node among some of a tree: a function with the probability of the options.
    fn pick_node(&self, tree: &Tree, among: impl Fn(usize) -> bool + Clone, rng: &mut Rng) -> Option<usize> {
        let inner = rng.random::<f64>() < self.operators.inner;
        let is_inner = |at: &usize| (self.primitives.arity(tree.nodes[*at].primitive) > 0) == inner;
        let among = (0..tree.size()).filter(|&at| among(at));
        pick(among.clone().filter(is_inner), rng).or_else(|| pick(among, rng))
    }

    fn type_at(&self, tree: &Tree, place: &Range<usize>) -> Type {
        self.primitives.output(tree.nodes[place.start].primitive)
    }

    /// Returns the individual with a subtree replaced, if that respects the limits. Everything that changes the structure of a tree goes
    /// through here.
    fn splice(&self, genome: &Genome, number: usize, place: Range<usize>, nodes: &[Node]) -> Option<Genome> {
        let tree = genome.trees[number].with(place, nodes);
        self.layout.admits(&tree, self.primitives).then(|| {
            let mut child = genome.clone();
            child.trees[number] = tree;
            child
        })
    }
}

/// Chooses an item uniformly.
fn pick<T>(items: impl Iterator<Item = T> + Clone, rng: &mut Rng) -> Option<T> {
    let count = items.clone().count();
    if count == 0 { None } else { items.into_iter().nth(rng.random_range(0..count)) }
}

/// Approximately normal: the sum of twelve uniform numbers has variance 1.
fn gaussian(rng: &mut Rng) -> f64 {
    (0..12).map(|_| rng.random::<f64>()).sum::<f64>() - 6.0
}

/// Rounds to four significant digits within a reasonable range.
fn readable(value: f64) -> f64 {
    let bounded = value.clamp(-1e9, 1e9);
    let rounded = format!("{bounded:.3e}").parse::<f64>().unwrap_or(bounded);
    if rounded.abs() < 1e-9 { 0.0 } else { rounded }
}
